/* SPDX-License-Identifier: MIT */
package etmerlin.tracer;

import java.util.HashSet;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * What a method of an object begins with. Many begin by reading a field of it, and many do no more:
 * between the M and that W, and the E of a getter, nothing can happen, so one probe records them all.
 * A call of a probe costs more than what it records.
 */
final class Opening implements Opcodes {
    /** The first instructions read this reference of the object; null: they do something else. */
    final FieldInsnNode read;

    /** Nothing follows but the return. */
    final boolean isWhole;

    private Opening(FieldInsnNode read, boolean isWhole) {
        this.read = read;
        this.isWhole = isWhole;
    }

    static Opening none() {
        return new Opening(null, false);
    }

    static Opening of(MethodNode method) {
        Set<LabelNode> targets = targets(method);
        AbstractInsnNode load = skip(method.instructions.getFirst(), targets);
        if (load == null || load.getOpcode() != ALOAD || ((VarInsnNode) load).var != 0) {
            return none();
        }
        AbstractInsnNode read = skip(load.getNext(), targets);
        if (read == null || read.getOpcode() != GETFIELD || !isReference(((FieldInsnNode) read).desc)) {
            return none();
        }
        AbstractInsnNode last = skip(read.getNext(), targets);
        return new Opening((FieldInsnNode) read, last != null && last.getOpcode() == ARETURN);
    }

    private static boolean isReference(String type) {
        return type.charAt(0) == 'L' || type.charAt(0) == '[';
    }

    /** The next instruction; null: there is none, or it is reached from elsewhere, too. */
    private static AbstractInsnNode skip(AbstractInsnNode from, Set<LabelNode> targets) {
        AbstractInsnNode node = from;
        while (node != null && node.getOpcode() < 0) {
            if (node instanceof LabelNode label && targets.contains(label)) {
                return null;
            }
            node = node.getNext();
        }
        return node;
    }

    private static Set<LabelNode> targets(MethodNode method) {
        Set<LabelNode> targets = new HashSet<>();
        for (AbstractInsnNode node : method.instructions) {
            if (node instanceof JumpInsnNode jump) {
                targets.add(jump.label);
            } else if (node instanceof TableSwitchInsnNode table) {
                targets.addAll(table.labels);
                targets.add(table.dflt);
            } else if (node instanceof LookupSwitchInsnNode lookup) {
                targets.addAll(lookup.labels);
                targets.add(lookup.dflt);
            }
        }
        method.tryCatchBlocks.forEach(block -> targets.add(block.handler));
        return targets;
    }
}
