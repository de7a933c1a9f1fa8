/* SPDX-License-Identifier: MIT */
import java.io.InputStream;
import java.util.function.Supplier;

/**
 * Runs a class that the virtual machine accepts, but readers of class files do not: it has fewer
 * annotations than its file states.
 */
public class Damaged {
    @Deprecated
    public static class Victim implements Supplier<String> {
        @Override
        public String get() {
            return "the class runs";
        }
    }

    static class Loader extends ClassLoader {
        Class<?> define(byte[] file) {
            return defineClass(Damaged.class.getName() + "$Victim", file, 0, file.length);
        }
    }

    /** The content of the attribute begins with the number of annotations; its length is six bytes. */
    static void damage(byte[] file) {
        for (int i = file.length - 8; i >= 0; i--) {
            boolean isLength = file[i] == 0 && file[i + 1] == 0 && file[i + 2] == 0 && file[i + 3] == 6;
            if (isLength && file[i + 4] == 0 && file[i + 5] == 1) {
                file[i + 4] = 0x7f;
                return;
            }
        }
        throw new IllegalStateException("the class has no annotation");
    }

    public static void main(String[] arguments) throws Exception {
        try (InputStream in = Damaged.class.getResourceAsStream("Damaged$Victim.class")) {
            byte[] file = in.readAllBytes();
            damage(file);
            Object victim = new Loader().define(file).getConstructor().newInstance();
            System.out.println(((Supplier<?>) victim).get());
        }
    }
}
