/* SPDX-License-Identifier: MIT */
package etmerlin.tracer;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.BasicInterpreter;
import org.objectweb.asm.tree.analysis.BasicValue;
import org.objectweb.asm.tree.analysis.Frame;
import org.objectweb.asm.tree.analysis.Interpreter;

/** Checks one method, instruction by instruction, with the frames that its file declares. */
final class TypeFlow implements Opcodes {
    /** The types of the variables and of the stack before an instruction. */
    private final class State extends Frame<BasicValue> {
        State() {
            super(method.maxLocals, method.maxStack);
            setReturn(rules.newReturnTypeValue(Type.getReturnType(method.desc)));
            for (int i = 0; i < getLocals(); i++) {
                setLocal(i, BasicValue.UNINITIALIZED_VALUE);
            }
        }

        State(State other) {
            super(other);
        }

        @Override
        public void execute(AbstractInsnNode instruction, Interpreter<BasicValue> interpreter) throws AnalyzerException {
            if (Construction.isConstructorCall(instruction)) {
                construct((MethodInsnNode) instruction);
            } else if (instruction.getOpcode() == PUTFIELD) {
                allowOwnStore((FieldInsnNode) instruction);
            }
            super.execute(instruction, interpreter);
        }

        private void construct(MethodInsnNode call) throws AnalyzerException {
            int place = getStackSize() - 1 - Type.getArgumentTypes(call.desc).length;
            BasicValue raw = getStack(place);
            require(raw instanceof TypeRules.Raw && (call.owner.equals(raw.getType().getInternalName())
                    || ((TypeRules.Raw) raw).isThis() && call.owner.equals(owner.superName)), call);
            BasicValue made = rules.newValue(raw.getType());
            for (int i = 0; i < getLocals(); i++) {
                setLocal(i, getLocal(i).equals(raw) && getLocal(i) instanceof TypeRules.Raw ? made : getLocal(i));
            }
            for (int i = 0; i < getStackSize(); i++) {
                setStack(i, getStack(i).equals(raw) && getStack(i) instanceof TypeRules.Raw ? made : getStack(i));
            }
        }

        /** A constructor may store into its own class's fields before it calls that of the superclass. */
        private void allowOwnStore(FieldInsnNode store) {
            int place = getStackSize() - 2;
            if (isRawThis(getStack(place)) && store.owner.equals(owner.name)) {
                setStack(place, rules.newValue(getStack(place).getType()));
            }
        }

        boolean hasRawThis() {
            for (int i = 0; i < getLocals(); i++) {
                if (isRawThis(getLocal(i))) {
                    return true;
                }
            }
            return false;
        }
    }

    private static final Map<Object, BasicValue> PLAIN = Map.of(TOP, BasicValue.UNINITIALIZED_VALUE,
            INTEGER, BasicValue.INT_VALUE, FLOAT, BasicValue.FLOAT_VALUE, DOUBLE, BasicValue.DOUBLE_VALUE,
            LONG, BasicValue.LONG_VALUE, NULL, new BasicValue(BasicInterpreter.NULL_TYPE));

    private final TypeRules rules;
    private final ClassNode owner;
    private final MethodNode method;
    private final Map<AbstractInsnNode, State> declared = new HashMap<>(); /* by frame, and by the labels before it */
    private State now; /* null: control does not pass here from the instruction before */

    TypeFlow(TypeRules rules, ClassNode owner, MethodNode method) {
        this.rules = rules;
        this.owner = owner;
        this.method = method;
    }

    private static boolean isRawThis(BasicValue value) {
        return value instanceof TypeRules.Raw raw && raw.isThis();
    }

    private static void require(boolean holds, AbstractInsnNode place) throws AnalyzerException {
        if (!holds) {
            throw new AnalyzerException(place, "types do not fit");
        }
    }

    /** Throws where the method does not verify. */
    void check() throws AnalyzerException {
        declare();
        now = beginning();
        boolean isChanged = true; /* since the handlers were looked at */
        for (AbstractInsnNode node : method.instructions) {
            if (node instanceof FrameNode) {
                require(now == null || passes(now, declared.get(node)), node);
                now = new State(declared.get(node));
            }
            if (node.getOpcode() < 0) {
                isChanged = true;
                continue;
            }
            require(now != null, node);
            if (isChanged) {
                checkHandlers(node);
            }
            isChanged = node.getOpcode() >= ISTORE && node.getOpcode() <= ASTORE || Construction.isConstructorCall(node);
            step(node);
        }
        require(now == null, method.instructions.getLast());
    }

    private State beginning() {
        State state = new State();
        int variable = 0;
        if ((method.access & ACC_STATIC) == 0) {
            BasicValue self = rules.newValue(Type.getObjectType(owner.name));
            state.setLocal(variable++, method.name.equals("<init>") ? new TypeRules.Raw(owner.name, null) : self);
        }
        for (Type type : Type.getArgumentTypes(method.desc)) {
            state.setLocal(variable, rules.newValue(type));
            variable += type.getSize();
        }
        return state;
    }

    private void step(AbstractInsnNode node) throws AnalyzerException {
        int opcode = node.getOpcode();
        require(opcode != RETURN || !method.name.equals("<init>") || !now.hasRawThis(), node);
        now.execute(node, rules);
        if (node instanceof JumpInsnNode jump) {
            reach(jump.label);
        } else if (node instanceof TableSwitchInsnNode table) {
            reach(table.dflt);
            reachAll(table.labels);
        } else if (node instanceof LookupSwitchInsnNode lookup) {
            reach(lookup.dflt);
            reachAll(lookup.labels);
        }
        if (opcode == GOTO || opcode == ATHROW || opcode >= TABLESWITCH && opcode <= RETURN) {
            now = null;
        }
    }

    private void reachAll(List<LabelNode> labels) throws AnalyzerException {
        for (LabelNode label : labels) {
            reach(label);
        }
    }

    private void reach(LabelNode label) throws AnalyzerException {
        require(passes(now, declared.get(label)), label);
    }

    private void checkHandlers(AbstractInsnNode node) throws AnalyzerException {
        int index = method.instructions.indexOf(node);
        for (TryCatchBlockNode block : method.tryCatchBlocks) {
            if (method.instructions.indexOf(block.start) < index && index < method.instructions.indexOf(block.end)) {
                State thrown = new State(now);
                thrown.clearStack();
                thrown.push(rules.newValue(Type.getObjectType(block.type == null ? "java/lang/Throwable" : block.type)));
                require(passes(thrown, declared.get(block.handler)), block.handler);
            }
        }
    }

    /**
     * Whether control may pass, in the state {@code from}, to an instruction for which the file declares {@code to}.
     */
    private boolean passes(State from, State to) {
        if (to == null || from.getStackSize() != to.getStackSize() || from.hasRawThis() && !to.hasRawThis()) {
            return false;
        }
        for (int i = 0; i < from.getLocals(); i++) {
            if (!rules.isPassed(from.getLocal(i), to.getLocal(i))) {
                return false;
            }
        }
        for (int i = 0; i < from.getStackSize(); i++) {
            if (!rules.isPassed(from.getStack(i), to.getStack(i))) {
                return false;
            }
        }
        return true;
    }

    // The frames of the file

    private void declare() {
        for (AbstractInsnNode node : method.instructions) {
            if (node instanceof FrameNode frame) {
                State state = state(frame);
                for (AbstractInsnNode at = node; at != null && at.getOpcode() < 0; at = at.getPrevious()) {
                    declared.put(at, state);
                }
            }
        }
    }

    private State state(FrameNode frame) {
        State state = new State();
        int variable = 0;
        for (Object type : frame.local) {
            BasicValue value = value(type);
            state.setLocal(variable, value);
            variable += value.getSize();
        }
        for (Object type : frame.stack) {
            state.push(value(type));
        }
        return state;
    }

    private BasicValue value(Object type) {
        if (type instanceof String name) {
            return rules.newValue(Type.getObjectType(name));
        }
        if (type instanceof LabelNode label) {
            AbstractInsnNode allocation = Code.at(label);
            return new TypeRules.Raw(((TypeInsnNode) allocation).desc, allocation);
        }
        return type.equals(UNINITIALIZED_THIS) ? new TypeRules.Raw(owner.name, null) : PLAIN.get(type);
    }
}
