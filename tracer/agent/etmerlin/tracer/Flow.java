/* SPDX-License-Identifier: MIT */
package etmerlin.tracer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;

/**
 * What is true at each instruction of a method on whatever way it is reached. Only the states where jumps arrive are
 * kept. What is true in a handler must not depend on where the exception comes from.
 *
 * @param <S> what is known at an instruction
 */
final class Flow<S extends Flow.State<S>> implements Opcodes {
    /** What is known at an instruction. */
    interface State<S> {
        S copy();

        /** Passes the instruction. */
        void pass(AbstractInsnNode instruction) throws AnalyzerException;

        /** Keeps only what is also true in the other state; whether that is less than before. */
        boolean meet(S other);
    }

    /** Is shown each instruction, with what is known before it. */
    interface Visitor<S> {
        void visit(AbstractInsnNode instruction, S before);
    }

    private final MethodNode method;
    private final Set<LabelNode> meetings;
    private final Map<LabelNode, S> states = new HashMap<>();
    private final Deque<LabelNode> changed = new ArrayDeque<>();
    private final S beginning;

    /** {@code handler}: what is known where a handler begins. */
    Flow(MethodNode method, S beginning, S handler) throws AnalyzerException {
        this.method = method;
        this.beginning = beginning;
        meetings = targets(method);
        for (TryCatchBlockNode block : method.tryCatchBlocks) {
            reach(block.handler, handler);
        }
        follow(method.instructions.getFirst(), beginning.copy());
        while (!changed.isEmpty()) {
            LabelNode label = changed.remove();
            S state = states.get(label).copy();
            state.pass(label);
            follow(label.getNext(), state);
        }
    }

    /** The labels to which the instruction jumps. */
    static List<LabelNode> targets(AbstractInsnNode instruction) {
        if (instruction instanceof JumpInsnNode jump) {
            return List.of(jump.label);
        }
        LabelNode other = null; /* of a switch, where no case applies */
        List<LabelNode> cases = List.of();
        if (instruction instanceof TableSwitchInsnNode table) {
            other = table.dflt;
            cases = table.labels;
        } else if (instruction instanceof LookupSwitchInsnNode lookup) {
            other = lookup.dflt;
            cases = lookup.labels;
        }
        if (other == null) {
            return List.of();
        }
        List<LabelNode> targets = new ArrayList<>(cases);
        targets.add(other);
        return targets;
    }

    /** The labels to which something jumps, and those of handlers. */
    static Set<LabelNode> targets(MethodNode method) {
        Set<LabelNode> targets = new HashSet<>();
        for (AbstractInsnNode node : method.instructions) {
            targets.addAll(targets(node));
        }
        for (TryCatchBlockNode block : method.tryCatchBlocks) {
            targets.add(block.handler);
        }
        return targets;
    }

    /** Whether the next instruction may follow this one. */
    static boolean goesOn(AbstractInsnNode instruction) {
        int opcode = instruction.getOpcode();
        return opcode != GOTO && opcode != ATHROW && (opcode < TABLESWITCH || opcode > RETURN);
    }

    private void reach(LabelNode label, S state) {
        S there = states.get(label);
        if (there == null) {
            states.put(label, state.copy());
            changed.add(label);
        } else if (there.meet(state) && !changed.contains(label)) {
            changed.add(label);
        }
    }

    private void follow(AbstractInsnNode first, S state) throws AnalyzerException {
        for (AbstractInsnNode node = first; node != null; node = node.getNext()) {
            if (node instanceof LabelNode label && meetings.contains(label)) {
                reach(label, state);
                return;
            }
            if (node.getOpcode() == JSR || node.getOpcode() == RET) {
                throw new AnalyzerException(node, "a subroutine");
            }
            state.pass(node);
            for (LabelNode target : targets(node)) {
                reach(target, state);
            }
            if (!goesOn(node)) {
                return;
            }
        }
    }

    /** Shows all instructions that are reached. The visitor must not change the code. */
    void show(Visitor<S> visitor) throws AnalyzerException {
        S state = beginning.copy();
        for (AbstractInsnNode node : method.instructions) {
            if (node instanceof LabelNode label && meetings.contains(label)) {
                state = states.containsKey(label) ? states.get(label).copy() : null;
            }
            if (state != null) {
                visitor.visit(node, state);
                state.pass(node);
                state = goesOn(node) ? state : null;
            }
        }
    }
}
