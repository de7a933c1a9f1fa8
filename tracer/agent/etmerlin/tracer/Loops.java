/* SPDX-License-Identifier: MIT */
package etmerlin.tracer;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * The loops of a method: the code from a label to the latest jump back to it. What variables hold throughout a loop can
 * be recorded once where it is entered, instead of in each round.
 *
 * <p>At the level exact, such a record changes nothing that reports show, even if the loop has no round or does not come
 * to the use: the variable holds the object, so it is alive, and another use of it, by the same thread, is recorded
 * when the variable loses it. So neither its last use nor the threads that use it, nor the place where it dies, depend
 * on the record.
 */
final class Loops implements Opcodes {
    /**
     * A place where an object can be recorded: the entry of the loop, and the variable. No record, whose first use loads
     * many classes of the JDK.
     */
    static final class Hoist {
        final Loop loop;
        final int variable;

        private Hoist(Loop loop, int variable) {
            this.loop = loop;
            this.variable = variable;
        }
    }

    /** A loop. */
    final class Loop {
        private final LabelNode head;
        private AbstractInsnNode last; /* the jump back */
        private LabelNode entry; /* before the head, passed on the way into the loop; null: nothing is recorded there */
        private final List<Hoist> hoists = new ArrayList<>(); /* what can be recorded there */

        private Loop(LabelNode head) {
            this.head = head;
        }

        boolean contains(AbstractInsnNode instruction) {
            int place = method.instructions.indexOf(instruction);
            return place > method.instructions.indexOf(head) && place < method.instructions.indexOf(last);
        }

        /**
         * The variables that it loads but does not store, if they hold references; none if it has none of the probes.
         */
        private BitSet unchanged(Set<AbstractInsnNode> probes, Locals locals) {
            BitSet unchanged = new BitSet();
            BitSet stored = new BitSet();
            boolean hasProbe = false;
            for (AbstractInsnNode node = head; node != last; node = node.getNext()) {
                hasProbe |= probes.contains(node);
                if (Lasting.isStore(node)) {
                    stored.or(Lasting.stored((VarInsnNode) node));
                } else if (node.getOpcode() == ALOAD && locals.holds(head, ((VarInsnNode) node).var)) {
                    unchanged.set(((VarInsnNode) node).var);
                }
            }
            unchanged.andNot(stored);
            return hasProbe ? unchanged : new BitSet();
        }
    }

    private final MethodNode method;
    private final Map<LabelNode, Loop> loops = new LinkedHashMap<>(); /* by head */
    private final Map<LabelNode, Loop> entries = new LinkedHashMap<>();

    Loops(MethodNode method) {
        this.method = method;
        Set<LabelNode> seen = new HashSet<>();
        for (AbstractInsnNode node : method.instructions) {
            if (node instanceof LabelNode label) {
                seen.add(label);
            }
            for (LabelNode target : Flow.targets(node)) {
                if (seen.contains(target)) {
                    loop(target).last = node;
                }
            }
        }
    }

    /** The loop from that label, which is added if it is a new one. */
    private Loop loop(LabelNode head) {
        Loop loop = loops.get(head);
        if (loop == null) {
            loop = new Loop(head);
            loops.put(head, loop);
        }
        return loop;
    }

    boolean areAt(LabelNode head) {
        return loops.containsKey(head);
    }

    /** Prepares to record where loops with these probes are entered what their variables hold. */
    void open(Set<AbstractInsnNode> probes, Locals locals) {
        for (Loop loop : loops.values()) {
            BitSet variables = loop.unchanged(probes, locals);
            if (!variables.isEmpty()) {
                for (int i = variables.nextSetBit(0); i >= 0; i = variables.nextSetBit(i + 1)) {
                    loop.hoists.add(new Hoist(loop, i));
                }
                loop.entry = new LabelNode();
                entries.put(loop.entry, loop);
                method.instructions.insertBefore(loop.head, loop.entry);
            }
        }
        if (!entries.isEmpty()) {
            redirect();
        }
    }

    /**
     * Lets jumps into loops go to the entries, for which there must be frames, unless all are computed. Where a loop is
     * entered otherwise, its objects are not known to be recorded.
     */
    private void redirect() {
        Set<LabelNode> seen = new HashSet<>();
        boolean hasFrames = false;
        for (AbstractInsnNode node : method.instructions) {
            hasFrames |= node instanceof FrameNode;
        }
        for (AbstractInsnNode node : method.instructions) {
            if (node instanceof LabelNode label) {
                seen.add(label);
            } else if (node instanceof JumpInsnNode jump && !hasFrames && !seen.contains(jump.label)) {
                Loop loop = loops.get(jump.label);
                jump.label = loop == null || loop.entry == null ? jump.label : loop.entry;
            }
        }
    }

    /** What can be recorded at the label, which is perhaps the entry of a loop. */
    List<Hoist> at(LabelNode label) {
        Loop loop = entries.get(label);
        return loop == null ? List.of() : loop.hoists;
    }

    /** Inserts the probes that record it. */
    void insert(Set<Hoist> needed) {
        for (Loop loop : entries.values()) {
            for (Hoist hoist : loop.hoists) {
                if (needed.contains(hoist)) {
                    Code code = new Code().variable(ALOAD, hoist.variable).number(0);
                    method.instructions.insert(loop.entry, code.probe("read", "Ljava/lang/Object;I").list);
                }
            }
        }
    }
}
