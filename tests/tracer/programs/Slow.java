/* SPDX-License-Identifier: MIT */
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;

/**
 * While a virtual thread defines a hidden class, its class loader sleeps when it is asked for a file; another thread
 * calls methods meanwhile. For JDK 21 or later.
 */
public class Slow {
    private static volatile boolean isAsked;

    public static class Other {
        Object field;
    }

    public static class Hidden implements Runnable {
        @Override
        public void run() {
            new Other().field = new Object();
        }
    }

    public static class Host implements Runnable {
        @Override
        public void run() {
            try {
                MethodHandles.lookup().defineHiddenClass(file("Slow$Hidden"), true);
            } catch (IllegalAccessException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static final class Loader extends ClassLoader {
        Loader() {
            super(Slow.class.getClassLoader());
        }

        Runnable host() throws ReflectiveOperationException {
            byte[] file = file("Slow$Host");
            return (Runnable) defineClass("Slow$Host", file, 0, file.length).getDeclaredConstructor().newInstance();
        }

        @Override
        public InputStream getResourceAsStream(String name) {
            if (name.startsWith("Slow$Other")) {
                isAsked = true;
                sleep(300);
            }
            return super.getResourceAsStream(name);
        }
    }

    public static byte[] file(String name) {
        try (InputStream in = Slow.class.getResourceAsStream("/" + name + ".class")) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void sleep(long milliseconds) {
        try {
            Thread.sleep(milliseconds);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static void tick() {
    }

    static void ticks() {
        for (int i = 0; !isAsked && i < 5000; i++) {
            sleep(1);
        }
        for (int i = 0; i < 1000; i++) {
            tick();
        }
    }

    public static void main(String[] arguments) throws Exception {
        Thread one = Thread.ofVirtual().start(new Loader().host());
        Thread other = Thread.ofVirtual().start(Slow::ticks);
        one.join();
        other.join();
        System.out.println("done");
    }
}
