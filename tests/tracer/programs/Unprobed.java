/* SPDX-License-Identifier: MIT */
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;

/**
 * Loads a class that is too large to be instrumented (the test makes it in a folder, the argument), Large: first in a
 * loader that is dropped, without initializing it; then a thread initializes it and waits while others go on.
 */
public class Unprobed {
    static volatile boolean isReady, isDone;
    static Object garbage;

    static Class<?> large(String folder, boolean isInitialized) throws Exception {
        ClassLoader loader = new URLClassLoader(new URL[] {Path.of(folder).toUri().toURL()});
        Class<?> large = Class.forName("Large", isInitialized, loader);
        large.getMethods();
        return large;
    }

    static boolean isUnloaded(String folder) throws Exception {
        WeakReference<Class<?>> large = new WeakReference<>(large(folder, false));
        for (int i = 0; i < 100 && large.get() != null; i++) {
            System.gc();
            Thread.sleep(10);
        }
        return large.get() == null;
    }

    static void work() {
        garbage = new int[10];
    }

    public static void main(String[] folders) throws Exception {
        System.out.println(isUnloaded(folders[0]));
        Thread thread = new Thread(() -> {
            try {
                Class<?> large = large(folders[0], true);
                isReady = true;
                while (!isDone) {
                    Thread.sleep(10);
                }
                System.out.println(large.getName());
            } catch (Exception e) {
                System.out.println(e);
            }
        });
        thread.start();
        while (!isReady) {
            Thread.sleep(1);
        }
        for (int i = 0; i < 5; i++) {
            System.gc();
            work();
        }
        isDone = true;
        thread.join();
    }
}
