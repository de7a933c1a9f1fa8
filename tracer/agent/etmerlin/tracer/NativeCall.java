/* SPDX-License-Identifier: MIT */
package etmerlin.tracer;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * A call of a native method of the same class: most are private. The virtual machine keeps its arguments alive until it
 * returns, during which it may call methods of the program; a native method has no code in which that could be recorded.
 * So the call is a use of them when it has returned. Whether a method of another class is native is not known where it
 * is called, and if an exception ends the call, no code comes after it: then they have no such use.
 */
final class NativeCall implements Opcodes {
    private static final String REFERENCE = "Ljava/lang/Object;";

    private final Operands operands;

    private NativeCall(Operands operands) {
        this.operands = operands;
    }

    /** Null: the call, in the class {@code in}, is none of these. The variables from {@code first} on are free. */
    static NativeCall of(ClassNode in, MethodInsnNode call, int first) {
        if (!call.owner.equals(in.name) || !isNative(in, call)) {
            return null;
        }
        Operands operands = new Operands(call, first);
        boolean hasReference = false;
        for (int i = 0; i < operands.count(); i++) {
            hasReference |= operands.isReference(i);
        }
        return hasReference ? new NativeCall(operands) : null;
    }

    private static boolean isNative(ClassNode in, MethodInsnNode call) {
        for (MethodNode method : in.methods) {
            if ((method.access & ACC_NATIVE) != 0 && method.name.equals(call.name) && method.desc.equals(call.desc)) {
                return true;
            }
        }
        return false;
    }

    Operands operands() {
        return operands;
    }

    /** The code after the call. */
    Code after() {
        Code code = new Code();
        for (int i = 0; i < operands.count(); i++) {
            if (operands.isReference(i)) {
                operands.load(code, i).number(0).probe("read", REFERENCE + "I");
            }
        }
        return operands.clear(code);
    }
}
