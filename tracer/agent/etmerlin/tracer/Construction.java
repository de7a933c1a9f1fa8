/* SPDX-License-Identifier: MIT */
package etmerlin.tracer;

import java.util.HashSet;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.BasicValue;
import org.objectweb.asm.tree.analysis.Frame;

/**
 * Where a constructor calls another constructor on its object, of the superclass or of its own class. Until
 * then the verifier allows hardly any use of the object. Compilers of Java write one such call; other
 * compilers may write several, and keep the object in other variables until then.
 */
final class Construction implements Opcodes {
    private final Set<AbstractInsnNode> calls = new HashSet<>();
    private final Set<AbstractInsnNode> stores = new HashSet<>();
    private final Set<AbstractInsnNode> raw = new HashSet<>();

    private Construction() {}

    /** The method need not be a constructor. */
    static Construction of(String owner, MethodNode method) throws AnalyzerException {
        Construction construction = new Construction();
        if (method.name.equals("<init>") && !construction.isStraight(method)) {
            construction.analyze(owner, method);
        }
        return construction;
    }

    /**
     * Whether the first such call is reached without a branch, after no stores but those of variables in the object. It
     * is then found by counting allocations.
     */
    private boolean isStraight(MethodNode method) {
        Set<AbstractInsnNode> guarded = new HashSet<>();
        for (TryCatchBlockNode block : method.tryCatchBlocks) {
            guarded.add(block.start);
        }
        int open = 0;
        for (AbstractInsnNode instruction : method.instructions) {
            raw.add(instruction);
            if (instruction instanceof JumpInsnNode || instruction instanceof TableSwitchInsnNode
                    || instruction instanceof LookupSwitchInsnNode || guarded.contains(instruction)) {
                return false;
            } else if (instruction.getOpcode() == PUTFIELD) {
                if (!storesVariable(instruction)) {
                    return false;
                }
                stores.add(instruction);
            } else if (instruction.getOpcode() == NEW) {
                open++;
            } else if (isConstructorCall(instruction) && open-- == 0) {
                calls.add(instruction);
                return true;
            }
        }
        return false;
    }

    /** Whether the store follows instructions that push the method's own object and another variable. */
    private static boolean storesVariable(AbstractInsnNode store) {
        AbstractInsnNode value = Code.previous(store);
        AbstractInsnNode object = Code.previous(value);
        return value instanceof VarInsnNode && object instanceof VarInsnNode self
                && self.getOpcode() == ALOAD && self.var == 0 && value.getOpcode() <= ALOAD;
    }

    private void analyze(String owner, MethodNode method) throws AnalyzerException {
        raw.clear();
        stores.clear();
        Frame<BasicValue>[] frames = References.analyze(owner, method);
        for (int i = 0; i < frames.length; i++) {
            AbstractInsnNode instruction = method.instructions.get(i);
            if (frames[i] == null || References.holdsRawThis(frames[i])) { /* null: it is not reached */
                raw.add(instruction);
            }
            if (frames[i] != null && References.constructsThis(frames[i], instruction)) {
                calls.add(instruction);
            }
            if (frames[i] != null && References.storesIntoThis(frames[i], instruction)) {
                stores.add(instruction);
            }
        }
    }

    static boolean isConstructorCall(AbstractInsnNode instruction) {
        return instruction.getOpcode() == INVOKESPECIAL && ((MethodInsnNode) instruction).name.equals("<init>");
    }

    /** Whether the instruction is such a call. */
    boolean isCall(AbstractInsnNode instruction) {
        return calls.contains(instruction);
    }

    /** Whether the instruction stores a field of the object before such a call. */
    boolean isStore(AbstractInsnNode instruction) {
        return stores.contains(instruction);
    }

    /** Whether every path to the instruction has passed such a call, or the method needs none. */
    boolean isDoneAt(AbstractInsnNode instruction) {
        return !raw.contains(instruction);
    }
}
