/* SPDX-License-Identifier: MIT */
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Classes without files: only their loader has their bytes, as in programs that decrypt, download or generate classes.
 * The tracer cannot know what they extend before they are loaded.
 */
public class Unfiled {
    public static class Base extends Exception {
        final Object kept;

        public Base(Object kept) {
            this.kept = kept;
        }

        public Base self() {
            return this;
        }
    }

    public static class One extends Base {
        public One() {
            super(new int[1]);
        }
    }

    public static class Two extends Base {
        public Two() {
            super(new int[2]);
        }
    }

    /** Where an object is a One or a Two, its type in the frame is Base. */
    public static class Choice extends Base implements Runnable {
        private final List<Base> all = new ArrayList<>();

        public Choice() {
            super(Choice.class.desiredAssertionStatus() ? new One() : new Two());
        }

        private static Base pick(int number) {
            Base picked = number % 2 == 0 ? new One() : new Two();
            return picked.self();
        }

        private Base caught(int number) {
            try {
                throw number % 2 == 0 ? new One() : new Two();
            } catch (Base e) {
                Base again = e.self();
                return again;
            } finally {
                all.add(null);
            }
        }

        private void fails(int number) throws Base {
            Base[] both = number % 2 == 0 ? new One[1] : new Two[1];
            both[0] = null;
            Base picked = pick(number);
            for (int i = 0; i < number; i++) {
                picked = i == 7 ? new Two() : picked.self();
            }
            throw picked.self();
        }

        @Override
        public void run() {
            for (int i = 0; i < 20; i++) {
                all.add(pick(i));
                all.add(caught(i));
                try {
                    fails(i);
                } catch (Base e) {
                    all.add(e);
                }
            }
            StringBuilder names = new StringBuilder(kept.getClass().getName().substring(8));
            for (Base one : all) {
                names.append(one == null ? "." : one.getClass().getName().substring(8));
            }
            System.out.println(names);
        }
    }

    /** What it declares is stored by the class that extends it, too. */
    public static class Holder {
        Object stored;
        static Object shared;

        void drop() {
            stored = null;
            shared = null;
        }
    }

    public static class Keeper extends Holder implements Consumer<Object> {
        @Override
        public void accept(Object value) {
            stored = value;
            shared = value;
        }

        @Override
        public String toString() {
            drop();
            return "dropped";
        }
    }

    private static final class Loader extends ClassLoader {
        private final Map<String, byte[]> files = new HashMap<>();

        Loader() throws IOException {
            for (String part : new String[] {"Base", "One", "Two", "Choice", "Holder", "Keeper"}) {
                String name = "Unfiled$" + part;
                try (InputStream file = Unfiled.class.getResourceAsStream(name + ".class")) {
                    files.put(name, file.readAllBytes());
                }
            }
        }

        @Override
        protected Class<?> loadClass(String name, boolean links) throws ClassNotFoundException {
            byte[] file = files.remove(name);
            return file == null ? super.loadClass(name, links) : defineClass(name, file, 0, file.length);
        }

        @Override
        public InputStream getResourceAsStream(String name) {
            return null;
        }
    }

    public static void main(String[] arguments) throws Exception {
        Loader loader = new Loader();
        ((Runnable) loader.loadClass("Unfiled$Choice").getDeclaredConstructor().newInstance()).run();
        @SuppressWarnings("unchecked")
        Consumer<Object> keeper = (Consumer<Object>) loader.loadClass("Unfiled$Keeper").getDeclaredConstructor().newInstance();
        keeper.accept(new long[77]);
        System.out.println(keeper);
    }
}
