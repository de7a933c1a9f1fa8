/* SPDX-License-Identifier: MIT */
package etmerlin.tracer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Frame;

/**
 * Leaves out the probes that would record uses that show nothing new: the thread has recorded the object already, and
 * since then has made no call and no allocation, and has synchronized with nothing. What lies between two such uses is
 * called a segment.
 *
 * <p>Some instructions end a segment only rarely, when the thread comes there first: then they load a class, or a probe
 * gives an object its id, which records an allocation. A field of another class may be volatile. And a loop may take
 * long, while other threads go on. At the level exact, this does not matter for an object that a variable holds: another
 * use is recorded when the variable loses it. So such instructions end the segment for other objects alone. And an
 * object that a variable holds throughout a loop, and that nothing but the loop's probes would record in it, is recorded
 * once where the loop is entered, unless the method may be open when the trace begins or when a signal ends it.
 */
final class Uses implements Opcodes {
    /** How much deeper the stack may be in inserted code. */
    private static final int DEEPER = 32;

    private final Level level;
    private final ClassNode owner;
    private final MethodNode method;
    private final int variables; /* those of the file */
    private final Map<AbstractInsnNode, List<AbstractInsnNode>> code = new HashMap<>(); /* by probe: what it needs */
    private final Values values = new Values();
    private Loops loops;

    /** Must be made before code is inserted into the method. */
    Uses(Level level, ClassNode owner, MethodNode method) {
        this.level = level;
        this.owner = owner;
        this.method = method;
        variables = method.maxLocals;
    }

    /**
     * Adds the probe at the end of {@code after}. Without these two pieces of code, which are not in the method yet, the
     * method does the same.
     */
    void add(Code before, Code after) {
        List<AbstractInsnNode> all = new ArrayList<>(List.of(before.list.toArray()));
        all.addAll(List.of(after.list.toArray()));
        code.put(after.list.getLast(), all);
    }

    /** Leaves out the probes that are not needed. {@code locals}: what variables hold; null: that is not recorded. */
    void leaveOut(Locals locals) {
        if (code.isEmpty()) {
            return;
        }
        Set<AbstractInsnNode> idle = new HashSet<>();
        Set<Loops.Hoist> needed = new HashSet<>();
        loops = new Loops(method);
        if (locals != null && Names.showsLosses()) {
            loops.open(code.keySet(), locals);
        }
        try {
            new Flow<>(method, beginning(), state()).show(new Flow.Visitor<State>() {
                @Override
                public void visit(AbstractInsnNode instruction, State before) {
                    if (code.containsKey(instruction) && isIdle(instruction, before.top(2))) {
                        idle.add(instruction);
                        needed.addAll(before.top(2).hoists);
                    }
                }
            });
        } catch (AnalyzerException | IndexOutOfBoundsException e) {
            return; /* all of them stay; the verifier reports what is wrong with the method */
        }
        for (AbstractInsnNode probe : idle) {
            for (AbstractInsnNode instruction : code.remove(probe)) {
                method.instructions.remove(instruction);
            }
        }
        loops.insert(needed);
    }

    /**
     * Whether the probe, which records the value, is left out. A hoist is for probes in its loop, not to move one that
     * comes after it.
     */
    private static boolean isIdle(AbstractInsnNode probe, Values.Known value) {
        boolean isIdle = value.isNamed && value.hoists.isEmpty();
        for (Loops.Hoist hoist : value.hoists) {
            isIdle |= hoist.loop.contains(probe);
        }
        return isIdle;
    }

    /** The state in a handler: nothing is known. */
    private State state() {
        State state = new State(method.maxLocals, method.maxStack + DEEPER);
        for (int i = 0; i < method.maxLocals; i++) {
            state.setLocal(i, values.made(1));
        }
        state.push(values.made(1));
        return state;
    }

    private State beginning() {
        State state = state();
        state.clearStack();
        return state;
    }

    /** Whether the class itself declares the field; a static one is initialized then, or this thread does it. */
    private FieldNode own(FieldInsnNode access) {
        for (FieldNode field : owner.fields) {
            if (access.owner.equals(owner.name) && access.name.equals(field.name) && access.desc.equals(field.desc)) {
                return field;
            }
        }
        return null;
    }

    /** What is known of the values in the variables and on the stack. Two places have the same value by its number. */
    private final class State extends Frame<Values.Known> implements Flow.State<State> {
        State(int variables, int stack) {
            super(variables, stack);
        }

        State(State other) {
            super(other);
        }

        @Override
        public State copy() {
            return new State(this);
        }

        private int places() {
            return getLocals() + getStackSize();
        }

        private Values.Known at(int place) {
            return place < getLocals() ? getLocal(place) : getStack(place - getLocals());
        }

        private void set(int place, Values.Known value) {
            if (place < getLocals()) {
                setLocal(place, value);
            } else {
                setStack(place - getLocals(), value);
            }
        }

        /** The value on the stack; 1: the top. */
        Values.Known top(int depth) {
            return getStack(getStackSize() - depth);
        }

        @Override
        public void pass(AbstractInsnNode instruction) throws AnalyzerException {
            if (instruction instanceof LabelNode label) {
                passLabel(label);
            }
            if (instruction.getOpcode() < 0) {
                return;
            }
            String probe = Code.probe(instruction);
            if (!probe.isEmpty()) {
                passProbe(probe, (MethodInsnNode) instruction);
            } else {
                passOwn(instruction);
            }
            execute(instruction, values);
        }

        private void passLabel(LabelNode label) {
            if (loops.areAt(label)) {
                endFor();
            }
            for (Loops.Hoist hoist : loops.at(label)) {
                Values.Known value = getLocal(hoist.variable);
                if (!value.isNamed && (value.hasId || !method.name.equals("<init>"))) {
                    replace(value, value.named(Set.of(hoist)));
                }
            }
        }

        private void passProbe(String probe, MethodInsnNode call) {
            switch (probe) {
                case "read" -> {
                    if (!(code.containsKey(call) && isIdle(call, top(2)))) {
                        use(2);
                    }
                }
                case "putStatic" -> use(2);
                case "put" -> {
                    identify(2);
                    use(3);
                    use(2);
                }
                case "stored" -> {
                    identify(1);
                    use(3);
                    use(1);
                }
                case "returned" -> {
                    if (!call.desc.startsWith("()")) {
                        use(1);
                    }
                }
                case "local" -> identify(2);
                case "push" -> {
                    end();
                    for (int depth = Type.getArgumentTypes(call.desc).length; depth > 1; depth--) {
                        identify(depth);
                    }
                }
                case "lost", "keep", "before" -> { }
                case "enter" -> {
                    end();
                    use(2);
                }
                case "enterReading", "construct" -> {
                    end();
                    use(3);
                }
                case "made", "array" -> { /* an allocation is no use */
                    end();
                    identify(3);
                }
                default -> end();
            }
        }

        private void passOwn(AbstractInsnNode instruction) {
            switch (instruction.getOpcode()) {
                case INVOKEVIRTUAL, INVOKESPECIAL, INVOKESTATIC, INVOKEINTERFACE, INVOKEDYNAMIC, NEW, NEWARRAY,
                        ANEWARRAY, MULTIANEWARRAY, MONITORENTER, MONITOREXIT -> end();
                case LDC -> {
                    if (!(((LdcInsnNode) instruction).cst instanceof Number)) {
                        end();
                    }
                }
                case CHECKCAST, INSTANCEOF -> endFor();
                case GETSTATIC, PUTSTATIC, GETFIELD, PUTFIELD -> access((FieldInsnNode) instruction);
                default -> { }
            }
        }

        private void access(FieldInsnNode access) {
            FieldNode own = own(access);
            boolean isStatic = access.getOpcode() == GETSTATIC || access.getOpcode() == PUTSTATIC;
            if (access.owner.equals(Code.PROBE)) {
                return;
            }
            if (own == null && !isStatic) {
                endFor();
            } else if (own == null || (own.access & ACC_VOLATILE) != 0) {
                end();
            }
        }

        /** Ends the segment. */
        private void end() {
            for (int place = 0; place < places(); place++) {
                set(place, at(place).unnamed());
            }
        }

        /** Ends the segment, but at the level exact not for objects that variables hold. */
        private void endFor() {
            for (int place = 0; place < places(); place++) {
                if (at(place).isNamed && !(level.locals && isHeld(at(place)))) {
                    set(place, at(place).unnamed());
                }
            }
        }

        private boolean isHeld(Values.Known value) {
            for (int i = 0; i < variables; i++) {
                if (getLocal(i).number == value.number) {
                    return true;
                }
            }
            return false;
        }

        /** The object on the stack gets an id, if it has none. */
        private void identify(int depth) {
            Values.Known value = top(depth);
            if (!value.hasId) {
                endFor();
                replace(value, value.identified());
            }
        }

        /** A use of the object on the stack is recorded. */
        private void use(int depth) {
            identify(depth);
            Values.Known value = top(depth);
            if (!value.isNamed || !value.hoists.isEmpty()) {
                replace(value, value.named(Set.of()));
            }
        }

        private void replace(Values.Known value, Values.Known other) {
            for (int place = 0; place < places(); place++) {
                if (at(place).number == value.number) {
                    set(place, other);
                }
            }
        }

        /** Two places keep the same value if they have the same one in both states. */
        @Override
        public boolean meet(State other) {
            Map<Long, Values.Known> met = new HashMap<>();
            Set<Integer> taken = new HashSet<>();
            boolean isChanged = false;
            for (int place = 0; place < places(); place++) {
                Values.Known mine = at(place);
                Values.Known others = other.at(place);
                long both = (long) mine.number << Integer.SIZE | others.number;
                Values.Known now = met.get(both);
                if (now == null) {
                    now = mine.met(others, taken.add(mine.number) ? mine.number : values.made(1).number);
                    met.put(both, now);
                }
                isChanged |= !now.isEqual(mine);
                set(place, now);
            }
            return isChanged;
        }
    }
}
