/* SPDX-License-Identifier: MIT */
package etmerlin.tracer;

import java.util.BitSet;
import java.util.HashMap;
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
 * main method, the table that a loop goes over. So a method that has lasted long tells what its
 * variables held when they lose it. That a variable holds an object is what the collector sees in
 * the interpreter: by the types at an instruction, whether the variable is used again or not.
 */
final class Lasting implements Opcodes {
    /** Instructions, and variables told at all of them: a method that grows too large is not traced. */
    private static final int MOST = 4000;
    private static final int MOST_TOLD = 1500;
    private static final BitSet NONE = new BitSet();

    private final MethodNode method;
    private final int first;
    private final Map<AbstractInsnNode, BitSet> lost = new HashMap<>();
    private Frame<BasicValue>[] frames;

    /** Of a method without calls there is nothing: it cannot last. */
    Lasting(String owner, MethodNode method) {
        this.method = method;
        first = (method.access & ACC_STATIC) == 0 ? 1 : 0; /* its frame holds the receiver */
        if (method.instructions.size() > MOST || !hasCall(method)) {
            return;
        }
        try {
            frames = References.analyze(owner, method);
            for (int i = 0; i < frames.length; i++) {
                if (frames[i] != null) {
                    note(i, method.instructions.get(i));
                }
            }
            if (lost.values().stream().mapToInt(BitSet::cardinality).sum() > MOST_TOLD) {
                lost.clear();
            }
        } catch (AnalyzerException e) {
            lost.clear(); /* the verifier tells what is wrong with it */
        }
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
        if (opcode >= IRETURN && opcode <= RETURN) {
            add(instruction, held(index));
        } else if (opcode == GOTO) {
            BitSet variables = held(index);
            variables.andNot(held(method.instructions.indexOf(((JumpInsnNode) instruction).label)));
            add(instruction, variables);
        } else if (instruction instanceof LabelNode && index > 0 && frames[index - 1] != null) {
            BitSet variables = heldBehind(index - 1);
            variables.andNot(held(index));
            add(instruction, variables);
        } else if (opcode >= ISTORE && opcode <= ASTORE) {
            BitSet variables = new BitSet();
            variables.set(((VarInsnNode) instruction).var);
            variables.and(held(index));
            add(instruction, variables);
        }
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
        if (opcode >= ISTORE && opcode <= ASTORE) {
            held.set(((VarInsnNode) instruction).var, opcode == ASTORE);
        }
        return held;
    }

    boolean isEmpty() {
        return lost.isEmpty();
    }

    /** The variables that the instruction takes a reference from. */
    BitSet at(AbstractInsnNode instruction) {
        return lost.getOrDefault(instruction, NONE);
    }
}
