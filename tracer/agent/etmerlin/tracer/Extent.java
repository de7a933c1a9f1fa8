/* SPDX-License-Identifier: MIT */
package etmerlin.tracer;

import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.BasicInterpreter;
import org.objectweb.asm.tree.analysis.BasicValue;
import org.objectweb.asm.tree.analysis.Frame;

/** How much is recorded of a method: less than all if that would not fit into it, or would not verify. */
enum Extent {
    ALL(null),
    /**
     * For a method that only puts constants into arrays: records what it returns or stores into static fields, with
     * everything that this contains, and that the class holds the strings in it.
     */
    RESULT(null),
    NO_VARIABLES("objects that only its variables hold die at their last use"),
    STORES("only its stores and allocations are recorded"),
    NOTHING("it is not recorded at all");

    /** What is missing in the trace; null: nothing. */
    final String meaning;

    Extent(String meaning) {
        this.meaning = meaning;
    }

    /** Whether {@link #RESULT} is enough: the method only puts constants into arrays, and returns or stores these. */
    static boolean isResult(String owner, MethodNode method) {
        boolean returns = false;
        boolean stores = false;
        for (AbstractInsnNode instruction : method.instructions) {
            int opcode = instruction.getOpcode();
            returns |= opcode == Opcodes.ARETURN;
            stores |= isStaticStore(instruction);
            if (opcode > Opcodes.DUP2_X2 && opcode != Opcodes.ARETURN && opcode != Opcodes.RETURN
                    && opcode != Opcodes.ANEWARRAY && opcode != Opcodes.NEWARRAY && opcode != Opcodes.PUTSTATIC
                    || mayPushOther(method, instruction)) {
                return false;
            }
        }
        return stores ? hasNoCopies(owner, method) : returns;
    }

    /**
     * Whether the instruction may push strings, or arrays of them, that are no constants of the class: an argument, or
     * what a bootstrap method has made.
     */
    private static boolean mayPushOther(MethodNode method, AbstractInsnNode instruction) {
        if (instruction instanceof LdcInsnNode constant) {
            return constant.cst instanceof ConstantDynamic;
        }
        if (instruction.getOpcode() != Opcodes.ALOAD) {
            return false;
        }
        int variable = ((VarInsnNode) instruction).var;
        boolean isThis = variable == 0 && (method.access & Opcodes.ACC_STATIC) == 0;
        return !isThis && Locals.arguments(method).contains(variable);
    }

    /** Whether the instruction stores a reference into a static field. */
    static boolean isStaticStore(AbstractInsnNode instruction) {
        return instruction.getOpcode() == Opcodes.PUTSTATIC
                && Type.getType(((FieldInsnNode) instruction).desc).getSort() >= Type.ARRAY;
    }

    /**
     * Whether the method has no other copy of what it stores into a static field, so that it cannot change it later.
     */
    private static boolean hasNoCopies(String owner, MethodNode method) {
        try {
            Frame<BasicValue>[] frames = new Analyzer<>(new BasicInterpreter()).analyze(owner, method);
            for (int i = 0; i < frames.length; i++) {
                AbstractInsnNode instruction = method.instructions.get(i);
                if (frames[i] == null || instruction.getOpcode() == Opcodes.ALOAD
                        || isStaticStore(instruction) && frames[i].getStackSize() > 1) {
                    return false;
                }
            }
            return true;
        } catch (AnalyzerException e) {
            return false;
        }
    }

    /** The next smaller extent that records less at this level and with this treatment. */
    Extent smaller(Level level, Scope.Treatment treatment) {
        boolean isFollowed = level == Level.STORES && treatment == Scope.Treatment.APPLICATION;
        if (this == ALL && isFollowed) {
            return NO_VARIABLES;
        }
        return (isFollowed || level.locals) && compareTo(STORES) < 0 ? STORES : NOTHING;
    }
}
