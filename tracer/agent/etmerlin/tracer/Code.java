/* SPDX-License-Identifier: MIT */
package etmerlin.tracer;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/** A piece of code to be inserted, which is made instruction by instruction. */
final class Code {
    /** The class of the probes. */
    static final String PROBE = Probes.PREFIX + (Names.hasHeaders() ? "HeaderProbe" : "Probe");

    final InsnList list = new InsnList();

    /** The first instruction from the node on that is no label or the like; null: there is none. */
    static AbstractInsnNode at(AbstractInsnNode first) {
        AbstractInsnNode node = first;
        while (node != null && node.getOpcode() < 0) {
            node = node.getNext();
        }
        return node;
    }

    /** The latest instruction before the node that is no label or the like; null: there is none. */
    static AbstractInsnNode previous(AbstractInsnNode after) {
        AbstractInsnNode node = after;
        do {
            node = node == null ? null : node.getPrevious();
        } while (node != null && node.getOpcode() < 0);
        return node;
    }

    /** The name of the probe that the instruction calls; empty: it calls none. */
    static String probe(AbstractInsnNode instruction) {
        return instruction instanceof MethodInsnNode call && call.owner.equals(PROBE) ? call.name : "";
    }

    /** The number that the instruction, which is of {@link #number}, pushes. */
    static int number(AbstractInsnNode instruction) {
        if (instruction instanceof IntInsnNode small) {
            return small.operand;
        }
        return instruction instanceof LdcInsnNode large ? (Integer) large.cst : instruction.getOpcode() - Opcodes.ICONST_0;
    }

    Code op(int opcode) {
        list.add(new InsnNode(opcode));
        return this;
    }

    Code variable(int opcode, int variable) {
        list.add(new VarInsnNode(opcode, variable));
        return this;
    }

    Code add(AbstractInsnNode instruction) {
        list.add(instruction);
        return this;
    }

    Code field(int opcode, String owner, String name, String type) {
        list.add(new FieldInsnNode(opcode, owner, name, type));
        return this;
    }

    Code number(int value) {
        if (value >= -1 && value <= 5) {
            list.add(new InsnNode(Opcodes.ICONST_0 + value));
        } else if (value == (byte) value) {
            list.add(new IntInsnNode(Opcodes.BIPUSH, value));
        } else if (value == (short) value) {
            list.add(new IntInsnNode(Opcodes.SIPUSH, value));
        } else {
            list.add(new LdcInsnNode(value));
        }
        return this;
    }

    Code number(long value) {
        list.add(new LdcInsnNode(value));
        return this;
    }

    /** Calls a probe; {@code parameters} are descriptors. */
    Code probe(String name, String parameters) {
        list.add(new MethodInsnNode(Opcodes.INVOKESTATIC, PROBE, name, "(" + parameters + ")V", false));
        return this;
    }

    /**
     * Overwrites the reference in a variable, which the collector would take for held. The new value is a number, which
     * has no superclass in common with what the code for another probe keeps in the variable.
     */
    Code clear(int variable) {
        return op(Opcodes.ICONST_0).variable(Opcodes.ISTORE, variable);
    }
}
