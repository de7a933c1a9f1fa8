/* SPDX-License-Identifier: MIT */
package etmerlin.tracer;

import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * How a method of an object begins. Many methods begin by reading a field of the object, and getters do nothing else.
 * Nothing can happen between the M and that W, or before the E of a getter, so one probe records them all: the call of
 * a probe costs more than what it records.
 */
final class Opening implements Opcodes {
    /** The first instructions read this field of the object, a reference; null: they do something else. */
    final FieldInsnNode read;

    /** Only the return follows. */
    final boolean isWhole;

    private Opening(FieldInsnNode read, boolean isWhole) {
        this.read = read;
        this.isWhole = isWhole;
    }

    static Opening none() {
        return new Opening(null, false);
    }

    static Opening of(MethodNode method) {
        Set<LabelNode> targets = Flow.targets(method);
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

    /** The next instruction; null: there is none, or it may also be reached by a jump or an exception. */
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
}
