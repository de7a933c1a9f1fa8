/* SPDX-License-Identifier: MIT */
package etmerlin.tracer;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.MethodInsnNode;

/** The operands of a call, which are kept in variables until code after it needs them. */
final class Operands implements Opcodes {
    private final Type[] types;
    private final int[] places;
    private final int first;

    /** The variables from {@code first} on are free. */
    Operands(MethodInsnNode call, int first) {
        this.first = first;
        Type[] arguments = Type.getArgumentTypes(call.desc);
        int receivers = call.getOpcode() == INVOKESTATIC ? 0 : 1;
        types = new Type[receivers + arguments.length];
        if (receivers > 0) {
            types[0] = Type.getObjectType(call.owner);
        }
        System.arraycopy(arguments, 0, types, receivers, arguments.length);
        places = new int[types.length + 1];
        for (int i = 0; i < types.length; i++) {
            places[i + 1] = places[i] + types[i].getSize();
        }
    }

    int count() {
        return types.length;
    }

    boolean isReference(int operand) {
        return types[operand].getSort() >= Type.ARRAY;
    }

    /** How many variables they need. */
    int variables() {
        return places[types.length];
    }

    Code load(Code code, int operand) {
        return code.variable(types[operand].getOpcode(ILOAD), first + places[operand]);
    }

    /** The code before the call: stores the operands in the variables, and loads them again. */
    Code before() {
        Code code = new Code();
        for (int i = types.length - 1; i >= 0; i--) {
            code.variable(types[i].getOpcode(ISTORE), first + places[i]);
        }
        for (int i = 0; i < types.length; i++) {
            load(code, i);
        }
        return code;
    }

    /** Overwrites the references in the variables. */
    Code clear(Code code) {
        for (int i = 0; i < types.length; i++) {
            if (isReference(i)) {
                code.clear(first + places[i]);
            }
        }
        return code;
    }
}
