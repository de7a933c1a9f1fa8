/* SPDX-License-Identifier: MIT */
import java.io.InputStream;
import java.util.function.Supplier;

/**
 * Runs a class of which a variable holds an object whose constructor has not been called. Compilers
 * of Java write no such code; the virtual machine accepts it.
 */
public class Raw {
    public static class Victim implements Supplier<String> {
        @Override
        public String get() {
            Object kept;
            (kept = new Object()).hashCode();
            kept = null;
            return String.join("", "the class", " runs", "");
        }
    }

    static class Loader extends ClassLoader {
        Class<?> define(byte[] file) {
            return defineClass(Raw.class.getName() + "$Victim", file, 0, file.length);
        }
    }

    /** Of new, dup, invokespecial, dup, astore, invokevirtual, pop, aconst_null, astore the call comes later. */
    static void reorder(byte[] file) {
        for (int i = 0; i < file.length - 15; i++) {
            if (file[i] == (byte) 0xbb && file[i + 3] == 0x59 && file[i + 7] == 0x59 && file[i + 8] == 0x4c) {
                byte[] calls = {file[i + 4], file[i + 5], file[i + 6], file[i + 9], file[i + 10], file[i + 11], 0x57};
                byte[] store = {0x59, 0x4c, 0x01, 0x4c};
                System.arraycopy(store, 0, file, i + 4, store.length);
                System.arraycopy(calls, 0, file, i + 8, calls.length);
                return;
            }
        }
        throw new IllegalStateException("the method is compiled to other code");
    }

    public static void main(String[] arguments) throws Exception {
        try (InputStream in = Raw.class.getResourceAsStream("Raw$Victim.class")) {
            byte[] file = in.readAllBytes();
            reorder(file);
            Object victim = new Loader().define(file).getConstructor().newInstance();
            System.out.println(((Supplier<?>) victim).get());
        }
    }
}
