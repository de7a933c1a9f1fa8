/* SPDX-License-Identifier: MIT */
package etmerlin.tracer;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;

/**
 * Where the new objects of a method are when their constructors have returned. The call of a constructor
 * takes the object off the stack, where a copy usually lies below it. Some compilers keep the copy in a
 * variable, and they keep no copy of an object that is not used again.
 */
final class Copies implements Opcodes {
    private final MethodNode method;
    private Map<AbstractInsnNode, References.Copy> copies; /* by call of a constructor; null: all are on the stack */
    private final Set<AbstractInsnNode> copied = new HashSet<>(); /* calls for whose object a copy can be made */

    Copies(String owner, MethodNode method) {
        this.method = method;
        if (!isUnusual()) {
            return;
        }
        try {
            copies = References.copies(owner, method);
            for (Map.Entry<AbstractInsnNode, References.Copy> entry : copies.entrySet()) {
                References.Copy copy = entry.getValue();
                if (copy.place() == References.NOWHERE && isStraight(copy.allocation(), entry.getKey())) {
                    copied.add(entry.getKey());
                }
            }
        } catch (AnalyzerException e) {
            copies = Map.of(); /* the verifier reports the fault */
        }
    }

    private boolean isUnusual() {
        for (AbstractInsnNode instruction : method.instructions) {
            if (instruction.getOpcode() == NEW) {
                AbstractInsnNode next = next(instruction);
                if (next == null || next.getOpcode() != DUP || movesCopies(next(next))) {
                    return true;
                }
            }
        }
        return false;
    }

    private static AbstractInsnNode next(AbstractInsnNode instruction) {
        return Code.at(instruction.getNext());
    }

    private static boolean movesCopies(AbstractInsnNode instruction) {
        int opcode = instruction == null ? NOP : instruction.getOpcode();
        return opcode == ASTORE || opcode >= POP && opcode <= SWAP;
    }

    /** Loads the object after the call of its constructor; loads null if it cannot be reached any more. */
    Code newObject(AbstractInsnNode call) {
        References.Copy copy = copies == null ? null : copies.get(call);
        if (copies == null || copy != null && copy.place() == References.ON_STACK) {
            return new Code().op(DUP);
        }
        if (copied.contains(call)) {
            method.instructions.insert(copy.allocation(), new InsnNode(DUP));
            return new Code();
        }
        return copy == null || copy.place() == References.NOWHERE
                ? new Code().op(ACONST_NULL)
                : new Code().variable(ALOAD, copy.place());
    }

    /** Whether the code from the allocation to the call also works with one more value on the stack. */
    private static boolean isStraight(AbstractInsnNode allocation, AbstractInsnNode call) {
        for (AbstractInsnNode node = allocation.getNext(); node != call; node = node.getNext()) {
            boolean isBranch = node instanceof JumpInsnNode || node instanceof TableSwitchInsnNode
                    || node instanceof LookupSwitchInsnNode || node instanceof FrameNode;
            if (isBranch || movesCopies(node) && node.getOpcode() != DUP && node.getOpcode() != DUP2) {
                return false;
            }
        }
        return true;
    }
}
