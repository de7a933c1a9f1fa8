/* SPDX-License-Identifier: MIT */
import java.io.IOException;
import java.io.InputStream;
import java.security.ProtectionDomain;
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

    /** As Loaded, but with a file as compilers before Java 5 wrote them. */
    public static class Old implements Runnable {
        private static Held held;

        @Override
        public void run() {
            held = new Held(held);
        }
    }

    /** The virtual machine holds it for the class. */
    private static class Domain extends ProtectionDomain {
        Domain() {
            super(null, null);
        }
    }

    private static class Loader extends ClassLoader {
        Loader() {
            super(Unloading.class.getClassLoader());
        }

        Runnable make(String name, byte[] file, ProtectionDomain domain) throws ReflectiveOperationException {
            return (Runnable) defineClass(name, file, 0, file.length, domain).getDeclaredConstructor().newInstance();
        }
    }

    private static byte[] file(String name) throws IOException {
        try (InputStream in = Unloading.class.getResourceAsStream(name + ".class")) {
            return in.readAllBytes();
        }
    }

    static void tick() {
        calls++;
    }

    public static void main(String[] arguments) throws Exception {
        byte[] file = file("Unloading$Loaded");
        byte[] old = file("Unloading$Old");
        old[7] = 48; /* the version */
        List<Object> kept = new ArrayList<>();
        for (int i = 0; i < LOADERS; i++) {
            Loader loader = new Loader();
            Runnable made = loader.make("Unloading$Loaded", file, new Domain());
            made.run();
            loader.make("Unloading$Old", old, null).run();
            if (i % 10 == 0) {
                kept.add(made);
            }
            made = null;
            loader = null;
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
