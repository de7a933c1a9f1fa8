/* SPDX-License-Identifier: MIT */
package etmerlin.tracer;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * The places of the JDK at which the virtual machine itself stores references, or keeps them: no
 * instruction shows it.
 */
final class MachineStores implements Opcodes {
    private static final String LINKER = "java/lang/invoke/MethodHandleNatives";
    private static final String THROWABLE = "java/lang/Throwable";
    private static final String REFERENCE = "Ljava/lang/Object;";

    private MachineStores() {}

    /**
     * Whether the virtual machine keeps what the method returns. Of the name of a member it keeps no more
     * than what that leads to, which is code.
     */
    static boolean keepsResult(String owner, MethodNode method) {
        return isLinker(owner, method.name) && !method.desc.endsWith(")Ljava/lang/invoke/MemberName;");
    }

    /** Whether the virtual machine keeps what the method stores in arrays. */
    static boolean keepsElements(String owner, MethodNode method) {
        return isLinker(owner, method.name);
    }

    /** Records that it keeps the object on the stack, for the first class that the method was given, if any. */
    static Code held(Code object, MethodNode method) {
        if (method.name.startsWith("link")) {
            object.variable(ALOAD, 0);
        } else {
            object.op(ACONST_NULL);
        }
        return object.probe("held", REFERENCE + REFERENCE);
    }

    /**
     * What comes first in a method that links a call or a constant: the texts among the arguments of the
     * class are constants of it, which it keeps. Null: the method is none.
     */
    static Code constants(String owner, MethodNode method) {
        boolean isCall = method.name.equals("linkCallSite");
        if (!owner.equals(LINKER) || !isCall && !method.name.equals("linkDynamicConstant")) {
            return null;
        }
        int arguments = Type.getArgumentTypes(method.desc).length - (isCall ? 2 : 1); /* before what a call returns */
        return new Code().variable(ALOAD, arguments).variable(ALOAD, 0).probe("constants", REFERENCE + REFERENCE);
    }

    private static boolean isLinker(String owner, String method) {
        return owner.equals(LINKER) && (method.startsWith("link") || method.startsWith("find")
                || method.startsWith("varHandleOperationLinker"));
    }

    /** Whether the virtual machine has stored into the object of which that is the first method called. */
    static boolean haveFilled(String owner, String method) {
        return owner.equals("java/lang/StackTraceElement") && method.equals("computeFormat");
    }

    /** Whether the constructor of that class stores without probes: a virtual thread may not be halted in its code. */
    static boolean haveNoProbes(String type) {
        return type.equals("java/lang/VirtualThread");
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
    static Code after(MethodInsnNode call, Numbers numbers) {
        Code code = new Code();
        if (call.owner.equals(THROWABLE) && call.desc.equals("(I)L" + THROWABLE + ";")) {
            code.variable(ALOAD, 0).op(DUP).field(GETFIELD, THROWABLE, "backtrace", REFERENCE);
            return code.number(numbers.field(THROWABLE, "backtrace")).probe("put", REFERENCE + REFERENCE + "I");
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
