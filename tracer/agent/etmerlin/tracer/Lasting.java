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
 * Level "stores": where local variables lose their references. This level does not follow variables, but a
 * variable of a method that has lasted long may hold much of the heap alone, such as the buffers of a main
 * method, or the table that a loop goes over. So a method that has lasted long records what its variables
 * held when they lose it. Whether a variable holds an object is decided as the collector does it for the
 * interpreter: by the types at an instruction, even if the variable is not used again.
 */
final class Lasting implements Opcodes {
    /** The most values in the frames of all instructions of a method that is followed. */
    private static final long MOST_VALUES = 1 << 23;
    /** The most variables recorded at all returns of a method; if there are more, returns share that code. */
    private static final int MOST_AT_RETURNS = 200;
    private static final BitSet NONE = new BitSet();

    private final MethodNode method;
    private final int first;
    private final Map<AbstractInsnNode, BitSet> lost = new HashMap<>();
    private Frame<BasicValue>[] frames;
    private final Map<AbstractInsnNode, Integer> stackAtReturns = new HashMap<>();
    private int atReturns;

    /** A method without calls cannot last long, so nothing is recorded of it. */
    Lasting(String owner, MethodNode method) throws AnalyzerException {
        this.method = method;
        first = (method.access & ACC_STATIC) == 0 ? 1 : 0; /* the frame record holds the receiver */
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

    /** Whether the method is small enough to be followed, which takes a frame for each instruction. */
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
            BitSet variables = heldAfter(index - 1);
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

    /** The variables that the instruction overwrites; a long or a double takes two. */
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

    /** The variables that hold references before the instruction. */
    private BitSet held(int index) {
        BitSet held = new BitSet();
        for (int i = first; i < frames[index].getLocals(); i++) {
            held.set(i, frames[index].getLocal(i).isReference());
        }
        return held;
    }

    /** The variables that hold references after the instruction; none if the next one does not follow it. */
    private BitSet heldAfter(int index) {
        AbstractInsnNode instruction = method.instructions.get(index);
        int opcode = instruction.getOpcode();
        BitSet held = Flow.goesOn(instruction) ? held(index) : new BitSet();
        if (isStore(instruction)) {
            VarInsnNode store = (VarInsnNode) instruction;
            held.andNot(stored(store));
            held.set(store.var, opcode == ASTORE && isReferenceStored(index));
        }
        return held;
    }

    /** Whether the instruction stores a reference. An object whose constructor has not been called does not count. */
    private boolean isReferenceStored(int index) {
        Frame<BasicValue> frame = frames[index];
        return frame.getStack(frame.getStackSize() - 1).isReference();
    }

    boolean isEmpty() {
        return lost.isEmpty();
    }

    /**
     * What returns must have in common to share the code before them; null: the instruction is no return, or needs no
     * sharing.
     */
    Object sharedReturn(AbstractInsnNode instruction) {
        if (atReturns <= MOST_AT_RETURNS || !isReturn(instruction) || at(instruction).isEmpty()) {
            return null;
        }
        return List.of(instruction.getOpcode(), stackAtReturns.get(instruction), at(instruction));
    }

    /** The variables that lose their references at the instruction. */
    BitSet at(AbstractInsnNode instruction) {
        return lost.getOrDefault(instruction, NONE);
    }
}
