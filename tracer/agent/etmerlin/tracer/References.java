/* SPDX-License-Identifier: MIT */
package etmerlin.tracer;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.BasicInterpreter;
import org.objectweb.asm.tree.analysis.BasicValue;
import org.objectweb.asm.tree.analysis.Frame;
import org.objectweb.asm.tree.analysis.Interpreter;

/**
 * Where variables hold references that may be passed to a probe, by the types at each instruction. An object whose
 * constructor has not been called may be in a variable, too, but the verifier does not allow it as an argument.
 */
final class References extends BasicInterpreter {
    /**
     * An object whose constructor has not been called. {@code allocation} is the instruction that has made it; null: it
     * is the object that the method itself constructs.
     */
    private static final class Raw extends BasicValue {
        private final AbstractInsnNode allocation;

        Raw(AbstractInsnNode allocation) {
            super(Type.getObjectType("<raw>")); /* no other value has this type */
            this.allocation = allocation;
        }

        @Override
        public boolean isReference() {
            return false;
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

    private static final class Types extends Frame<BasicValue> {
        Types(int variables, int stack) {
            super(variables, stack);
        }

        Types(Frame<? extends BasicValue> other) {
            super(other);
        }

        @Override
        public void execute(AbstractInsnNode instruction, Interpreter<BasicValue> interpreter) throws AnalyzerException {
            BasicValue made = constructed(instruction);
            super.execute(instruction, interpreter);
            for (int i = 0; made instanceof Raw && i < getLocals(); i++) {
                if (getLocal(i).equals(made)) {
                    setLocal(i, BasicValue.REFERENCE_VALUE);
                }
            }
            for (int i = 0; made instanceof Raw && i < getStackSize(); i++) {
                if (getStack(i).equals(made)) {
                    setStack(i, BasicValue.REFERENCE_VALUE);
                }
            }
        }

        /** The object whose constructor the instruction calls; null: it calls none. */
        private BasicValue constructed(AbstractInsnNode instruction) {
            int position = positionOfConstructed(instruction);
            return position >= 0 ? getStack(position) : null;
        }

        /** The position of that object on the stack; negative: the instruction calls no constructor. */
        private int positionOfConstructed(AbstractInsnNode instruction) {
            if (instruction.getOpcode() != Opcodes.INVOKESPECIAL) {
                return -1;
            }
            MethodInsnNode call = (MethodInsnNode) instruction;
            return call.name.equals("<init>") ? getStackSize() - 1 - Type.getArgumentTypes(call.desc).length : -1;
        }

        /** Where the new object is after the call of its constructor; null: the instruction is no such call. */
        private Copy copyAfter(AbstractInsnNode instruction) {
            int position = positionOfConstructed(instruction);
            if (position < 0 || !(getStack(position) instanceof Raw made) || made.equals(THIS)) {
                return null;
            }
            if (position > 0 && getStack(position - 1).equals(made)) {
                return new Copy(made.allocation, ON_STACK);
            }
            int variable = 0;
            while (variable < getLocals() && !getLocal(variable).equals(made)) {
                variable++;
            }
            return new Copy(made.allocation, variable < getLocals() ? variable : NOWHERE);
        }
    }

    private static final Raw THIS = new Raw(null);

    static final int ON_STACK = -1;
    static final int NOWHERE = -2;

    /**
     * The object that {@code allocation} has made is in the variable {@code place}, {@link #ON_STACK} or {@link
     * #NOWHERE}.
     */
    record Copy(AbstractInsnNode allocation, int place) {}

    private final MethodNode method;

    private References(MethodNode method) {
        super(ASM9);
        this.method = method;
    }

    /** The types before each instruction; null: it is not reached. */
    static Frame<BasicValue>[] analyze(String owner, MethodNode method) throws AnalyzerException {
        return new Analyzer<BasicValue>(new References(method)) {
            @Override
            protected Frame<BasicValue> newFrame(int variables, int stack) {
                return new Types(variables, stack);
            }

            @Override
            protected Frame<BasicValue> newFrame(Frame<? extends BasicValue> other) {
                return new Types(other);
            }
        }.analyze(owner, method);
    }

    /** Where the new object is after each call of a constructor, by call. */
    static Map<AbstractInsnNode, Copy> copies(String owner, MethodNode method) throws AnalyzerException {
        Frame<BasicValue>[] frames = analyze(owner, method);
        Map<AbstractInsnNode, Copy> copies = new HashMap<>();
        for (int i = 0; i < frames.length; i++) {
            AbstractInsnNode instruction = method.instructions.get(i);
            Copy copy = frames[i] == null ? null : ((Types) frames[i]).copyAfter(instruction);
            if (copy != null) {
                copies.put(instruction, copy);
            }
        }
        return copies;
    }

    /** Whether the constructor's own object is in a variable, and the superclass's constructor has not been called. */
    static boolean holdsRawThis(Frame<BasicValue> frame) {
        for (int i = 0; i < frame.getLocals(); i++) {
            if (frame.getLocal(i).equals(THIS)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the instruction, with this frame before it, calls a constructor on the method's own object. */
    static boolean constructsThis(Frame<BasicValue> frame, AbstractInsnNode instruction) {
        return THIS.equals(((Types) frame).constructed(instruction));
    }

    /**
     * Whether the instruction, with this frame before it, stores a field of the method's own object, on which no
     * constructor has been called.
     */
    static boolean storesIntoThis(Frame<BasicValue> frame, AbstractInsnNode instruction) {
        return instruction.getOpcode() == Opcodes.PUTFIELD && THIS.equals(frame.getStack(frame.getStackSize() - 2));
    }

    @Override
    public BasicValue newParameterValue(boolean isInstanceMethod, int variable, Type type) {
        boolean isRaw = isInstanceMethod && variable == 0 && method.name.equals("<init>");
        return isRaw ? THIS : super.newParameterValue(isInstanceMethod, variable, type);
    }

    /**
     * In a handler, a variable may also hold what the last instruction of the range stores: no exception can leave that
     * store, but the frames that ASM computes assume that one may.
     */
    @Override
    public BasicValue newExceptionValue(TryCatchBlockNode block, Frame<BasicValue> frame, Type type) {
        AbstractInsnNode last = Code.previous(block.end);
        if (last instanceof VarInsnNode store && Lasting.isStore(store) && store.getOpcode() != Opcodes.ASTORE) {
            BitSet stored = Lasting.stored(store);
            for (int i = stored.nextSetBit(0); i >= 0; i = stored.nextSetBit(i + 1)) {
                frame.setLocal(i, BasicValue.UNINITIALIZED_VALUE);
            }
        }
        return super.newExceptionValue(block, frame, type);
    }

    @Override
    public BasicValue newOperation(AbstractInsnNode instruction) throws AnalyzerException {
        return instruction.getOpcode() == Opcodes.NEW ? new Raw(instruction) : super.newOperation(instruction);
    }
}
