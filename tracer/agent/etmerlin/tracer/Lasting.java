/* SPDX-License-Identifier: MIT */
package etmerlin.tracer;

import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.BasicValue;
import org.objectweb.asm.tree.analysis.Frame;

/**
 * Level "stores": where local variables lose their references. This level does not follow variables,
 * but one of a method that has lasted long may be all that holds much of the heap: the buffers of a
 * main method, the table that a loop goes over. So a method that has lasted long records what its
 * variables held when they lose it. That a variable holds an object is what the collector sees in
 * the interpreter: by the types at an instruction, whether the variable is used again or not.
 */
final class Lasting implements Opcodes {
    /** Values in the frames of all instructions, by which a method is followed. */
    private static final long MOST_VALUES = 1 << 23;
    /** Variables recorded at all returns of a method: with more, returns share that code. */
    private static final int MOST_AT_RETURNS = 200;
    private static final BitSet NONE = new BitSet();

    private final MethodNode method;
    private final int first;
    private final Map<AbstractInsnNode, BitSet> lost = new HashMap<>();
    private Frame<BasicValue>[] frames;
    private final Map<AbstractInsnNode, Integer> stackAtReturns = new HashMap<>();
    private int atReturns;

    /** Nothing is recorded of a method without calls: it cannot last. */
    Lasting(String owner, MethodNode method) throws AnalyzerException {
        this.method = method;
        first = (method.access & ACC_STATIC) == 0 ? 1 : 0; /* its frame holds the receiver */
        if (!hasCall(method)) {
            return;
        }
        frames = References.analyze(owner, method);
        for (int i = 0; i < frames.length; i++) {
            if (frames[i] != null) {
                note(i, method.instructions.get(i));
            }
        }
    }

    /** Whether the variables of the method can be followed: it takes a frame for each instruction. */
    static boolean canFollow(MethodNode method) {
        return (long) method.instructions.size() * (method.maxLocals + method.maxStack) <= MOST_VALUES;
    }

    private static boolean hasCall(MethodNode method) {
        for (AbstractInsnNode instruction : method.instructions) {
            if (instruction instanceof MethodInsnNode) {
                return true;
            }
        }
        return false;
    }

    private void note(int index, AbstractInsnNode instruction) {
        int opcode = instruction.getOpcode();
        if (isReturn(instruction)) {
            add(instruction, held(index));
            atReturns += at(instruction).cardinality();
            stackAtReturns.put(instruction, frames[index].getStackSize());
        } else if (opcode == GOTO) {
            BitSet variables = held(index);
            variables.andNot(held(method.instructions.indexOf(((JumpInsnNode) instruction).label)));
            add(instruction, variables);
        } else if (instruction instanceof LabelNode && index > 0 && frames[index - 1] != null) {
            BitSet variables = heldBehind(index - 1);
            variables.andNot(held(index));
            add(instruction, variables);
        } else if (isStore(instruction)) {
            BitSet variables = stored((VarInsnNode) instruction);
            variables.and(held(index));
            add(instruction, variables);
        }
    }

    private static boolean isReturn(AbstractInsnNode instruction) {
        return instruction.getOpcode() >= IRETURN && instruction.getOpcode() <= RETURN;
    }

    static boolean isStore(AbstractInsnNode instruction) {
        return instruction.getOpcode() >= ISTORE && instruction.getOpcode() <= ASTORE;
    }

    /** The variables that the instruction overwrites: a long or a double takes the place of two. */
    static BitSet stored(VarInsnNode store) {
        boolean isWide = store.getOpcode() == LSTORE || store.getOpcode() == DSTORE;
        BitSet variables = new BitSet();
        variables.set(store.var, store.var + (isWide ? 2 : 1));
        return variables;
    }

    private void add(AbstractInsnNode instruction, BitSet variables) {
        if (!variables.isEmpty()) {
            lost.put(instruction, variables);
        }
    }

    private BitSet held(int index) {
        BitSet held = new BitSet();
        for (int i = first; i < frames[index].getLocals(); i++) {
            held.set(i, frames[index].getLocal(i).isReference());
        }
        return held;
    }

    /** Where the instruction leads to the next one: what variables hold then. */
    private BitSet heldBehind(int index) {
        AbstractInsnNode instruction = method.instructions.get(index);
        int opcode = instruction.getOpcode();
        boolean goesOn = opcode != GOTO && opcode != ATHROW && (opcode < TABLESWITCH || opcode > RETURN);
        BitSet held = goesOn ? held(index) : new BitSet();
        if (isStore(instruction)) {
            VarInsnNode store = (VarInsnNode) instruction;
            held.andNot(stored(store));
            held.set(store.var, opcode == ASTORE && isReferenceStored(index));
        }
        return held;
    }

    /** An object whose constructor has not been called is none yet. */
    private boolean isReferenceStored(int index) {
        Frame<BasicValue> frame = frames[index];
        return frame.getStack(frame.getStackSize() - 1).isReference();
    }

    boolean isEmpty() {
        return lost.isEmpty();
    }

    /** What returns must have in common to share the code before them; null: the instruction is no return. */
    Object sharedReturn(AbstractInsnNode instruction) {
        if (atReturns <= MOST_AT_RETURNS || !isReturn(instruction) || at(instruction).isEmpty()) {
            return null;
        }
        return List.of(instruction.getOpcode(), stackAtReturns.get(instruction), at(instruction));
    }

    /** The variables that the instruction takes a reference from. */
    BitSet at(AbstractInsnNode instruction) {
        return lost.getOrDefault(instruction, NONE);
    }
}
