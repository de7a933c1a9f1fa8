/* SPDX-License-Identifier: MIT */
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Loads a plugin by a loader that asks others only for classes of java.*, and finds the rest in the folder of the
 * argument.
 */
public class Isolated {
    /** The plugin, whose code has probes of all kinds that matter to a loader. */
    public static class Plugin implements Runnable {
        static Object[] kept = new Object[10];
        Object own;

        @Override
        public void run() {
            for (int i = 0; i < kept.length; i++) {
                kept[i] = own = new byte[i];
            }
            try {
                throw new IllegalStateException("thrown");
            } catch (IllegalStateException e) {
                Runnable lambda = () -> System.out.println("ran " + kept.length + ", " + e.getMessage() + " " + own);
                own = null;
                lambda.run();
            }
        }
    }

    private static final class Loader extends ClassLoader {
        private final Path folder;

        Loader(Path folder) {
            super(null);
            this.folder = folder;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                if (loaded != null) {
                    return loaded;
                }
                if (name.startsWith("java.")) {
                    return getPlatformClassLoader().loadClass(name);
                }
                try {
                    byte[] file = Files.readAllBytes(folder.resolve(name + ".class"));
                    return defineClass(name, file, 0, file.length);
                } catch (IOException e) {
                    throw new ClassNotFoundException(name, e);
                }
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Loader loader = new Loader(Path.of(arguments[0]));
        ((Runnable) loader.loadClass("Isolated$Plugin").getDeclaredConstructor().newInstance()).run();
    }
}
