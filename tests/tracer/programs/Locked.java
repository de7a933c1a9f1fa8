/* SPDX-License-Identifier: MIT */
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A class loader that takes a lock to find files, while another thread that has the lock loads a
 * class, too.
 */
public class Locked {
    static final Object lock = new Object();
    static final CountDownLatch asked = new CountDownLatch(1);

    static class Loader extends ClassLoader {
        @Override
        public InputStream getResourceAsStream(String name) {
            asked.countDown();
            synchronized (lock) {
                return super.getResourceAsStream(name);
            }
        }

        Class<?> define(String name) throws IOException {
            try (InputStream file = Locked.class.getResourceAsStream(name + ".class")) {
                byte[] bytes = file.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            }
        }
    }

    static class Other {
        Object held;
    }

    /** Stores into a class that is not loaded by then. */
    static class Storing {
        static void store(Other other) {
            other.held = "stored";
        }
    }

    static class Late {}

    static void load() {
        try {
            new Loader().define("Locked$Storing").getDeclaredMethods();
            asked.countDown();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Thread thread = new Thread(Locked::load);
        synchronized (lock) {
            thread.start();
            System.out.println(asked.await(1, TimeUnit.MINUTES));
            System.out.println(new Late().getClass());
        }
        thread.join();
    }
}
