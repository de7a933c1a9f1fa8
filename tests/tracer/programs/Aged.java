/* SPDX-License-Identifier: MIT */
import java.io.InputStream;
import java.util.ArrayList;

/**
 * Classes with an old version, in which the virtual machine ignores what newer versions have: annotations, types with
 * parameters, and flags of inner classes that the newer ones refuse.
 */
public class Aged {
    @Deprecated
    public static class Typed<T> extends ArrayList<String> {}

    public static class Flagged {
        public interface Inner {}

        @Override
        public String toString() {
            Inner inner = null;
            return "flagged " + inner;
        }
    }

    private static final class Loader extends ClassLoader {
        Class<?> define(String name, byte[] file) {
            return defineClass(name, file, 0, file.length);
        }
    }

    private static byte[] file(String name) throws Exception {
        try (InputStream in = Aged.class.getResourceAsStream(name + ".class")) {
            byte[] file = in.readAllBytes();
            file[7] = 48; /* the version */
            return file;
        }
    }

    public static void main(String[] arguments) throws Exception {
        Class<?> typed = new Loader().define("Aged$Typed", file("Aged$Typed"));
        System.out.println(typed.getAnnotations().length + " " + typed.getGenericSuperclass() + " "
                + typed.getTypeParameters().length);
        byte[] file = file("Aged$Flagged");
        int changed = 0;
        for (int i = file.length - 40; i < file.length - 1; i++) {
            if (file[i] == 6 && file[i + 1] == 9) { /* public static interface */
                file[i + 1] |= 0x20;
                changed++;
            }
        }
        System.out.println(changed + " " + new Loader().define("Aged$Flagged", file).getDeclaredConstructor().newInstance());
    }
}
