/* SPDX-License-Identifier: MIT */
package etmerlin.tracer;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;

/**
 * Level "exact": which variables of a method may hold references in the view of the probes. A variable that a probe is
 * to release does so only if it may hold one. Most variables that numbers are stored in never do, and what ends before
 * a call is mostly released by then. Such probes record nothing, so they are left out.
 */
final class Variables implements Flow.State<Variables> {
    /** The variables that {@code EttraceProbe.keep} can release. */
    private static final BitSet RELEASED = new BitSet();

    static {
        RELEASED.set(0, Long.SIZE);
    }

    private final BitSet held;

    private Variables(BitSet held) {
        this.held = held;
    }

    /** Leaves out the probes of the method that release nothing. */
    static void leaveOut(MethodNode method) {
        List<AbstractInsnNode> idle = new ArrayList<>();
        BitSet all = new BitSet();
        all.set(0, method.maxLocals);
        try {
            new Flow<>(method, new Variables(new BitSet()), new Variables(all)).show(new Flow.Visitor<Variables>() {
                @Override
                public void visit(AbstractInsnNode instruction, Variables before) {
                    if (before.isIdle(instruction)) {
                        idle.add(instruction);
                    }
                }
            });
        } catch (AnalyzerException e) {
            return; /* all of them stay */
        }
        for (AbstractInsnNode probe : idle) {
            method.instructions.remove(probe.getPrevious());
            method.instructions.remove(probe);
        }
    }

    private boolean isIdle(AbstractInsnNode instruction) {
        return switch (Code.probe(instruction)) {
            case "lost" -> !held.get(Code.number(instruction.getPrevious()));
            case "keep" -> released(instruction.getPrevious()).isEmpty();
            default -> false;
        };
    }

    /** The variables that hold references, but not after {@code number}, the mask of a probe. */
    private BitSet released(AbstractInsnNode number) {
        BitSet released = (BitSet) held.clone();
        released.and(RELEASED);
        released.andNot(BitSet.valueOf(new long[] {(long) ((LdcInsnNode) number).cst}));
        return released;
    }

    @Override
    public Variables copy() {
        return new Variables((BitSet) held.clone());
    }

    @Override
    public void pass(AbstractInsnNode instruction) {
        AbstractInsnNode last = instruction.getPrevious();
        switch (Code.probe(instruction)) {
            case "enter", "enterReading", "construct" -> held.clear();
            case "push" -> {
                held.clear();
                held.set(0, Type.getArgumentTypes(((MethodInsnNode) instruction).desc).length - 1);
            }
            case "local" -> held.set(Code.number(last));
            case "lost" -> held.clear(Code.number(last));
            case "keep", "keepCaught" -> held.andNot(released(last));
            case "uncover" -> held.andNot(released(last.getPrevious()));
            default -> { }
        }
    }

    @Override
    public boolean meet(Variables other) {
        int before = held.cardinality();
        held.or(other.held);
        return held.cardinality() != before;
    }
}
