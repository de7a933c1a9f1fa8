/* SPDX-License-Identifier: MIT */
package etmerlin.tracer;

import java.util.Objects;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.BasicValue;
import org.objectweb.asm.tree.analysis.SimpleVerifier;

/**
 * The types of values that an instruction may use, by the rules of the virtual machine's verifier. Classes are known
 * from their files; none is loaded.
 */
final class TypeRules extends SimpleVerifier {
    /**
     * An object whose constructor has not been called. Without an allocation, it is the one that the method itself
     * constructs.
     */
    static final class Raw extends BasicValue {
        private final AbstractInsnNode allocation;

        Raw(String type, AbstractInsnNode allocation) {
            super(Type.getObjectType(type));
            this.allocation = allocation;
        }

        boolean isThis() {
            return allocation == null;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Raw raw && raw.allocation == allocation;
        }

        @Override
        public int hashCode() {
            return Objects.hashCode(allocation);
        }
    }

    private static final BasicValue THROWABLE = new BasicValue(Type.getObjectType("java/lang/Throwable"));

    private final Hierarchy hierarchy;

    TypeRules(Hierarchy hierarchy) {
        super(ASM9, null, null, null, false);
        this.hierarchy = hierarchy;
    }

    @Override
    public BasicValue newOperation(AbstractInsnNode instruction) throws AnalyzerException {
        BasicValue value = super.newOperation(instruction);
        return instruction.getOpcode() == NEW ? new Raw(value.getType().getInternalName(), instruction) : value;
    }

    @Override
    public BasicValue unaryOperation(AbstractInsnNode instruction, BasicValue value) throws AnalyzerException {
        if (instruction.getOpcode() == ATHROW && !isSubTypeOf(value, THROWABLE)) {
            throw new AnalyzerException(instruction, "nothing that can be thrown");
        }
        return super.unaryOperation(instruction, value);
    }

    @Override
    protected boolean isSubTypeOf(BasicValue value, BasicValue expected) {
        if (value instanceof Raw || expected instanceof Raw) {
            return value.equals(expected);
        }
        return value.getType() != null && expected.getType() != null && fits(value.getType(), expected.getType());
    }

    /** Whether the value may be where a frame declares {@code declared}. */
    boolean isPassed(BasicValue value, BasicValue declared) {
        return declared.equals(BasicValue.UNINITIALIZED_VALUE) || isSubTypeOf(value, declared);
    }

    private boolean fits(Type given, Type wanted) {
        Type type = given;
        Type expected = wanted;
        while (type.getSort() == Type.ARRAY && expected.getSort() == Type.ARRAY) {
            type = Type.getType(type.getDescriptor().substring(1));
            expected = Type.getType(expected.getDescriptor().substring(1));
        }
        if (type.equals(expected)) {
            return true;
        }
        if (type.getSort() < Type.ARRAY || expected.getSort() != Type.OBJECT || expected.equals(NULL_TYPE)) {
            return type.equals(NULL_TYPE) && expected.getSort() == Type.ARRAY;
        }
        String name = expected.getInternalName();
        if (type.getSort() == Type.ARRAY) {
            return name.equals("java/lang/Object") || name.equals("java/lang/Cloneable") || name.equals("java/io/Serializable");
        }
        return type.equals(NULL_TYPE) || hierarchy.fits(type.getInternalName(), name);
    }
}
