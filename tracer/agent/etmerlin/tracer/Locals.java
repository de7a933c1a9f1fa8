/* SPDX-License-Identifier: MIT */
package etmerlin.tracer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.BasicValue;
import org.objectweb.asm.tree.analysis.Frame;

/**
 * Level "exact": records the objects that the local variables of a method hold. A variable loses its reference when it
 * is overwritten, and where several paths meet, one of which has no reference in it. The latter is found at each call
 * by the analysis of types that the collector makes, too; and before a jump back to where calls follow, since other
 * threads may go on before the next call.
 */
final class Locals implements Opcodes {
    private static final int FIT = 64; /* the variables for which the word of EttraceProbe.keep has bits */

    private static final int MOST_PUSHED = 2; /* references that EttraceProbe.push takes */

    private final MethodNode method;
    private long throughout = -1L;
    private final Map<AbstractInsnNode, Long> held = new HashMap<>();
    private final Set<AbstractInsnNode> uninitialized = new HashSet<>();
    private final Set<AbstractInsnNode> repeating = new HashSet<>(); /* jumps back to before a call */

    Locals(String owner, MethodNode method, Numbers numbers) {
        this.method = method;
        findRepeating();
        try {
            Frame<BasicValue>[] frames = References.analyze(owner, method);
            for (int i = 0; i < frames.length; i++) {
                AbstractInsnNode instruction = method.instructions.get(i);
                if (frames[i] != null && !References.holdsRawThis(frames[i])
                        && (canThrow(instruction) || i > 0 && Lasting.isStore(method.instructions.get(i - 1)))) {
                    throughout &= held(frames[i]);
                }
                if (frames[i] != null && instruction.getOpcode() == ASTORE && !top(frames[i]).isReference()) {
                    uninitialized.add(instruction); /* an object whose constructor has not been called */
                }
                if (frames[i] != null && (isCall(instruction) || instruction instanceof LabelNode)) {
                    held.put(instruction, held(frames[i]));
                }
            }
        } catch (AnalyzerException e) {
            numbers.problem("method " + owner + "." + method.name + method.desc + ": its local variables: "
                    + e.getMessage());
        }
    }

    /** Finds the jumps back to before a call. */
    private void findRepeating() {
        Set<LabelNode> beforeCall = new HashSet<>();
        Set<LabelNode> afterCall = new HashSet<>();
        for (AbstractInsnNode instruction : method.instructions) {
            if (instruction instanceof LabelNode label) {
                afterCall.add(label);
            } else if (isCall(instruction)) {
                beforeCall.addAll(afterCall);
                afterCall.clear();
            } else if (instruction.getOpcode() == GOTO && beforeCall.contains(((JumpInsnNode) instruction).label)) {
                repeating.add(instruction);
            }
        }
    }

    private static BasicValue top(Frame<BasicValue> frame) {
        return frame.getStack(frame.getStackSize() - 1);
    }

    private static boolean isCall(AbstractInsnNode instruction) {
        return instruction instanceof MethodInsnNode || instruction instanceof InvokeDynamicInsnNode;
    }

    private static long held(Frame<BasicValue> frame) {
        long held = 0;
        for (int i = 0; i < frame.getLocals() && i < FIT; i++) {
            if (frame.getLocal(i).isReference()) {
                held |= 1L << i;
            }
        }
        return held;
    }

    /**
     * Whether an exception may leave the method at the instruction, by the collector's analysis. It may also leave at
     * the probe after a store of a variable.
     */
    private static boolean canThrow(AbstractInsnNode instruction) {
        int opcode = instruction.getOpcode();
        return isCall(instruction) || opcode >= IALOAD && opcode <= SALOAD || opcode >= IASTORE && opcode <= SASTORE
                || opcode == IDIV || opcode == LDIV || opcode == IREM || opcode == LREM
                || opcode >= GETSTATIC && opcode <= PUTFIELD || opcode >= NEW && opcode <= MONITOREXIT
                || opcode == MULTIANEWARRAY || opcode == LDC;
    }

    /** The variables that hold references wherever an exception may leave the method. */
    long heldThroughout() {
        return throughout;
    }

    /** The variables that are arguments and references, in their order. */
    static List<Integer> arguments(MethodNode method) {
        List<Integer> arguments = new ArrayList<>();
        int variable = 0;
        if ((method.access & ACC_STATIC) == 0) {
            arguments.add(variable++);
        }
        for (Type type : Type.getArgumentTypes(method.desc)) {
            if (type.getSort() >= Type.ARRAY) {
                arguments.add(variable);
            }
            variable += type.getSize();
        }
        return arguments;
    }

    /**
     * Begins the frame of library code. If its first variables are references, the same probe records these; returns
     * how many.
     */
    int push(Code code, int number) {
        List<Integer> arguments = arguments(method);
        StringBuilder types = new StringBuilder();
        int shown = 0;
        while (shown < MOST_PUSHED && shown < arguments.size() && arguments.get(shown) == shown) {
            code.variable(ALOAD, shown++);
            types.append("Ljava/lang/Object;");
        }
        code.number(number).probe("push", types + "I");
        return shown;
    }

    /**
     * Records what variables hold where the method begins; in a constructor, after its call of another one. Without the
     * first ones that are {@code shown}, which {@link #push} has recorded there.
     */
    void begin(Code code, AbstractInsnNode call, int shown) {
        for (int variable : arguments(method)) {
            if (variable >= shown) {
                local(code, variable);
            }
        }
        int first = (Type.getArgumentsAndReturnSizes(method.desc) >> 2) - ((method.access & ACC_STATIC) == 0 ? 0 : 1);
        long mask = call == null ? 0 : held.getOrDefault(call, 0L);
        for (int i = first; i < FIT; i++) {
            if ((mask >> i & 1) != 0) {
                local(code, i);
            }
        }
    }

    private static void local(Code code, int variable) {
        code.variable(ALOAD, variable).number(variable).probe("local", "Ljava/lang/Object;I");
    }

    /** The variables that hold references at the label; all, if that is not known. */
    long heldIn(LabelNode label) {
        return held.getOrDefault(label, -1L);
    }

    /** Whether the variable is known to hold a reference at the label. */
    boolean holds(LabelNode label, int variable) {
        return variable < FIT && (held.getOrDefault(label, 0L) >> variable & 1) != 0;
    }

    private void keep(AbstractInsnNode instruction, long mask) {
        method.instructions.insertBefore(instruction, new Code().number(mask).probe("keep", "J").list);
    }

    void visit(AbstractInsnNode instruction) {
        InsnList list = method.instructions;
        Long mask = held.get(instruction);
        if (mask != null && isCall(instruction)) {
            keep(instruction, mask);
        } else if (repeating.contains(instruction)) {
            keep(instruction, heldIn(((JumpInsnNode) instruction).label));
        }
        if (instruction instanceof VarInsnNode store) {
            int opcode = store.getOpcode();
            Code code = new Code();
            if (opcode == ASTORE && !uninitialized.contains(store)) {
                local(code, store.var);
            } else if (opcode == LSTORE || opcode == DSTORE) {
                code.number(store.var).probe("lost", "I").number(store.var + 1).probe("lost", "I");
            } else if (opcode == ISTORE || opcode == FSTORE || opcode == ASTORE) {
                code.number(store.var).probe("lost", "I");
            }
            list.insert(instruction, code.list);
        }
    }
}
