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
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.BasicValue;
import org.objectweb.asm.tree.analysis.Frame;

/**
 * Where a constructor calls another one on its object: of the superclass, or of its own class. Before
 * that, the verifier lets nothing be done with the object. Compilers of Java write one such call; others
 * choose among several, and keep the object in other variables until then.
 */
final class Construction implements Opcodes {
    private final Set<AbstractInsnNode> calls = new HashSet<>();
    private final Set<AbstractInsnNode> raw = new HashSet<>();

    private Construction() {}

    /** For a method that is no constructor, too. */
    static Construction of(String owner, MethodNode method) throws AnalyzerException {
        Construction construction = new Construction();
        if (method.name.equals("<init>") && !construction.isStraight(method)) {
            construction.analyze(owner, method);
        }
        return construction;
    }

    /** Whether the one call is reached without a branch: then it is found by counting. */
    private boolean isStraight(MethodNode method) {
        Set<AbstractInsnNode> guarded = new HashSet<>();
        method.tryCatchBlocks.forEach(block -> guarded.add(block.start));
        int open = 0;
        for (AbstractInsnNode instruction : method.instructions) {
            raw.add(instruction);
            if (instruction instanceof JumpInsnNode || instruction instanceof TableSwitchInsnNode
                    || instruction instanceof LookupSwitchInsnNode || guarded.contains(instruction)) {
                return false;
            } else if (instruction.getOpcode() == NEW) {
                open++;
            } else if (isConstructorCall(instruction) && open-- == 0) {
                calls.add(instruction);
                return true;
            }
        }
        return false;
    }

    private void analyze(String owner, MethodNode method) throws AnalyzerException {
        raw.clear();
        Frame<BasicValue>[] frames = References.analyze(owner, method);
        for (int i = 0; i < frames.length; i++) {
            AbstractInsnNode instruction = method.instructions.get(i);
            if (frames[i] == null || References.holdsRawThis(frames[i])) { /* null: it is not reached */
                raw.add(instruction);
            }
            if (frames[i] != null && References.constructsThis(frames[i], instruction)) {
                calls.add(instruction);
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

    /** Whether the instruction stands after such a call on each way to it, or needs none. */
    boolean isDoneAt(AbstractInsnNode instruction) {
        return !raw.contains(instruction);
    }
}
