/* SPDX-License-Identifier: MIT */
package etmerlin.tracer;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** How much is recorded of a method: less where more does not fit into it, or does not verify. */
enum Extent {
    ALL(null),
    /** Of a method that only puts constants into arrays: what it returns is recorded with what is in it. */
    RESULT(null),
    NO_VARIABLES("objects that only its variables hold die at their last use"),
    STORES("only its stores and allocations are recorded"),
    NOTHING("it is not recorded at all");

    /** What that means for the trace; null: nothing is missing. */
    final String meaning;

    Extent(String meaning) {
        this.meaning = meaning;
    }

    /** Whether the method only puts constants into arrays and returns one: it needs no more. */
    static boolean isResult(MethodNode method) {
        boolean returns = false;
        for (AbstractInsnNode instruction : method.instructions) {
            int opcode = instruction.getOpcode();
            returns |= opcode == Opcodes.ARETURN;
            if (opcode > Opcodes.DUP2_X2 && opcode != Opcodes.ARETURN && opcode != Opcodes.ANEWARRAY
                    && opcode != Opcodes.NEWARRAY) {
                return false;
            }
        }
        return returns;
    }

    /** The next smaller one that is less at this level and with this treatment. */
    Extent smaller(Level level, Scope.Treatment treatment) {
        boolean isFollowed = level == Level.STORES && treatment == Scope.Treatment.APPLICATION;
        if (this == ALL && isFollowed) {
            return NO_VARIABLES;
        }
        return (isFollowed || level.locals) && compareTo(STORES) < 0 ? STORES : NOTHING;
    }
}
