/* SPDX-License-Identifier: MIT */
package etmerlin.tracer;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.BasicInterpreter;
import org.objectweb.asm.tree.analysis.BasicValue;
import org.objectweb.asm.tree.analysis.Interpreter;
import org.objectweb.asm.tree.analysis.Value;

/** Numbers the values of a method: each instruction makes a new one, but those that only copy values. */
final class Values extends Interpreter<Values.Known> {
    /** A value, and what is known of it. */
    static final class Known implements Value {
        final int number;
        final boolean isNamed; /* by a record of this segment */
        final boolean hasId; /* so that a record that names it records nothing else */
        final Set<Loops.Hoist> hoists; /* without which it may not be named */
        private final int size;

        Known(int size, int number, boolean isNamed, boolean hasId, Set<Loops.Hoist> hoists) {
            this.size = size;
            this.number = number;
            this.isNamed = isNamed;
            this.hasId = hasId;
            this.hoists = hoists;
        }

        Known unnamed() {
            return isNamed ? new Known(size, number, false, hasId, Set.of()) : this;
        }

        Known identified() {
            return new Known(size, number, isNamed, true, hoists);
        }

        /** It has been recorded, so it has an id. */
        Known named(Set<Loops.Hoist> hoists) {
            return new Known(size, number, true, true, hoists);
        }

        /** A value, of that number, that is this one or the other one. */
        Known met(Known other, int number) {
            boolean areNamed = isNamed && other.isNamed;
            Set<Loops.Hoist> all = areNamed ? union(hoists, other.hoists) : Set.of();
            return new Known(size, number, areNamed, hasId && other.hasId, all);
        }

        boolean isEqual(Known other) {
            return number == other.number && isNamed == other.isNamed && hasId == other.hasId
                    && hoists.equals(other.hoists);
        }

        private static Set<Loops.Hoist> union(Set<Loops.Hoist> some, Set<Loops.Hoist> others) {
            if (some == others || some.containsAll(others)) {
                return some;
            }
            Set<Loops.Hoist> all = new HashSet<>(some);
            all.addAll(others);
            return all;
        }

        @Override
        public int getSize() {
            return size;
        }
    }

    private final BasicInterpreter types = new BasicInterpreter();
    private int count;

    Values() {
        super(Opcodes.ASM9);
    }

    /** A new value. */
    Known made(int size) {
        return new Known(size, ++count, false, false, Set.of());
    }

    private Known made(BasicValue value) {
        return value == null ? null : made(value.getSize());
    }

    @Override
    public Known newValue(Type type) {
        return type == Type.VOID_TYPE ? null : made(type == null ? 1 : type.getSize());
    }

    /** No record names null. */
    @Override
    public Known newOperation(AbstractInsnNode instruction) throws AnalyzerException {
        return instruction.getOpcode() == Opcodes.ACONST_NULL
                ? made(1).named(Set.of())
                : made(types.newOperation(instruction));
    }

    @Override
    public Known copyOperation(AbstractInsnNode instruction, Known value) {
        return switch (instruction.getOpcode()) {
            case Opcodes.ILOAD, Opcodes.FLOAD -> made(1);
            case Opcodes.LLOAD, Opcodes.DLOAD -> made(2);
            default -> value;
        };
    }

    @Override
    public Known unaryOperation(AbstractInsnNode instruction, Known value) throws AnalyzerException {
        return instruction.getOpcode() == Opcodes.CHECKCAST ? value : made(types.unaryOperation(instruction, null));
    }

    @Override
    public Known binaryOperation(AbstractInsnNode instruction, Known one, Known other) throws AnalyzerException {
        return made(types.binaryOperation(instruction, null, null));
    }

    @Override
    public Known ternaryOperation(AbstractInsnNode instruction, Known one, Known two, Known three) {
        return null;
    }

    @Override
    public Known naryOperation(AbstractInsnNode instruction, List<? extends Known> operands)
            throws AnalyzerException {
        return made(types.naryOperation(instruction, null));
    }

    @Override
    public void returnOperation(AbstractInsnNode instruction, Known value, Known expected) {}

    @Override
    public Known merge(Known one, Known other) {
        throw new IllegalStateException("values meet in frames");
    }
}
