/* SPDX-License-Identifier: MIT */
package etmerlin.tracer;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * The places of the JDK at which the virtual machine itself stores references, or keeps them: no
 * instruction shows it.
 */
final class MachineStores implements Opcodes {
    private static final String LINKER = "java/lang/invoke/MethodHandleNatives";
    private static final String THROWABLE = "java/lang/Throwable";
    private static final String REFERENCE = "Ljava/lang/Object;";

    private MachineStores() {}

    /** Whether the virtual machine keeps what the method returns, and what it stores in arrays. */
    static boolean isKept(String owner, String method) {
        return owner.equals(LINKER) && (method.startsWith("link") || method.startsWith("find"));
    }

    /** Whether the virtual machine has stored into the object of which that is the first method called. */
    static boolean haveFilled(String owner, String method) {
        return owner.equals("java/lang/StackTraceElement") && method.equals("computeFormat");
    }

    static boolean isReferent(FieldInsnNode store) {
        return store.name.equals("referent") && store.owner.equals("java/lang/ref/Reference");
    }

    /** What comes before such a call so that {@link #after} finds the object; null: it is none. */
    static Code before(MethodInsnNode call, int variable) {
        if (call.owner.equals(LINKER) && call.name.equals("expand")) {
            return new Code().op(DUP);
        }
        if (call.owner.equals(LINKER) && call.name.equals("init")) {
            return new Code().variable(ASTORE, variable).op(DUP).variable(ALOAD, variable).clear(variable);
        }
        return new Code();
    }

    /** What follows it; null: it is no such call. */
    static Code after(MethodInsnNode call) {
        Code code = new Code();
        if (call.owner.equals(THROWABLE) && call.desc.equals("(I)L" + THROWABLE + ";")) {
            code.variable(ALOAD, 0).op(DUP).field(GETFIELD, THROWABLE, "backtrace", REFERENCE);
            return code.number(Names.field(THROWABLE, "backtrace")).probe("put", REFERENCE + REFERENCE + "I");
        }
        if (call.owner.equals("java/lang/Class") && call.name.equals("initClassName")) {
            code.variable(ALOAD, 0);
        } else if (call.owner.equals(LINKER) && call.name.equals("resolve")) {
            code.op(DUP);
        } else if (!call.owner.equals(LINKER) || !call.name.equals("expand") && !call.name.equals("init")) {
            return null;
        }
        return code.number(0).probe("arrived", REFERENCE + "I");
    }
}
