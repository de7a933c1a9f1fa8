/* SPDX-License-Identifier: MIT */
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * The same class in many class loaders, most of which are dropped. Objects that its static fields and constants hold
 * live as long as the class, which lives as long as its loader or any of its objects.
 */
public class Unloading {
    private static final int LOADERS = 60;
    private static int calls;

    /** An object that a class holds. */
    public static class Held {
        final Held next;

        public Held(Held next) {
            this.next = next;
        }
    }

    /** Loaded by each of the loaders. */
    public static class Loaded implements Runnable {
        private static Held held = new Held(null);
        private static final Object[] ROW = new Object[2];

        @Override
        public void run() {
            held = new Held(held);
            Runnable made = () -> ROW[1] = new Held(null);
            made.run();
            ROW[0] = "a constant " + made.getClass().isHidden();
        }
    }

    private static class Loader extends ClassLoader {
        Loader() {
            super(Unloading.class.getClassLoader());
        }

        Class<?> define(byte[] file) {
            return defineClass("Unloading$Loaded", file, 0, file.length);
        }
    }

    static void tick() {
        calls++;
    }

    public static void main(String[] arguments) throws Exception {
        byte[] file;
        try (InputStream in = Unloading.class.getResourceAsStream("Unloading$Loaded.class")) {
            file = in.readAllBytes();
        }
        List<Object> kept = new ArrayList<>();
        for (int i = 0; i < LOADERS; i++) {
            Runnable made = (Runnable) new Loader().define(file).getDeclaredConstructor().newInstance();
            made.run();
            if (i % 10 == 0) {
                kept.add(made);
            }
            made = null;
            for (int k = 0; k < 100; k++) {
                tick();
            }
        }
        for (int k = 0; k < 3000; k++) {
            tick();
        }
        System.out.println(kept.size());
    }
}
