/* SPDX-License-Identifier: MIT */
import java.io.InputStream;
import java.util.function.Supplier;

/**
 * Runs classes that allocate objects in other ways than compilers of Java do; the virtual machine
 * accepts them.
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

    private static final byte NOP = 0;
    private static final byte ACONST_NULL = 0x01;
    private static final byte ALOAD_1 = 0x2b;
    private static final byte ASTORE_1 = 0x4c;
    private static final byte POP = 0x57;
    private static final byte DUP = 0x59;
    private static final byte INVOKEVIRTUAL = (byte) 0xb6;
    private static final byte INVOKESPECIAL = (byte) 0xb7;
    private static final byte NEW = (byte) 0xbb;

    /** The code that the compiler makes of the first lines of the method; 1, 2 and 3 stand for operands. */
    private static final byte[] COMPILED = {NEW, 1, 1, DUP, INVOKESPECIAL, 2, 2, DUP, ASTORE_1, INVOKEVIRTUAL, 3, 3, POP,
        ACONST_NULL, ASTORE_1};
    /** The variable has the object before its constructor is called, and loses it. */
    private static final byte[] FORGOTTEN = {NEW, 1, 1, DUP, DUP, ASTORE_1, ACONST_NULL, ASTORE_1, INVOKESPECIAL, 2, 2,
        INVOKEVIRTUAL, 3, 3, POP};
    /** Only the variable has the object after its constructor has returned. */
    private static final byte[] STORED = {NEW, 1, 1, DUP, ASTORE_1, INVOKESPECIAL, 2, 2, ALOAD_1, INVOKEVIRTUAL, 3, 3, POP,
        ACONST_NULL, ASTORE_1};
    /** Nothing has the object after its constructor has returned. */
    private static final byte[] DROPPED = {NEW, 1, 1, INVOKESPECIAL, 2, 2, NOP, NOP, NOP, NOP, NOP, NOP, NOP,
        ACONST_NULL, ASTORE_1};

    private static boolean matches(byte[] file, int at) {
        for (int i = 0; i < COMPILED.length; i++) {
            boolean isOperand = COMPILED[i] >= 1 && COMPILED[i] <= 3 && i < COMPILED.length - 2;
            if (!isOperand && file[at + i] != COMPILED[i]) {
                return false;
            }
        }
        return true;
    }

    private static byte[] with(byte[] compiled, byte[] form) {
        int at = 0;
        while (!matches(compiled, at)) {
            at++;
        }
        byte[] file = compiled.clone();
        System.arraycopy(form, 0, file, at, form.length);
        for (int i = 0; i < form.length; i++) {
            if (form[i] == NEW || form[i] == INVOKESPECIAL || form[i] == INVOKEVIRTUAL) {
                int operand = form[i] == NEW ? 1 : form[i] == INVOKESPECIAL ? 5 : 10;
                System.arraycopy(compiled, at + operand, file, at + i + 1, 2);
            }
        }
        return file;
    }

    public static void main(String[] arguments) throws Exception {
        try (InputStream in = Raw.class.getResourceAsStream("Raw$Victim.class")) {
            byte[] compiled = in.readAllBytes();
            for (byte[] form : new byte[][] {COMPILED, FORGOTTEN, STORED, DROPPED}) {
                Object victim = new Loader().define(with(compiled, form)).getConstructor().newInstance();
                System.out.println(((Supplier<?>) victim).get());
            }
        }
    }
}
