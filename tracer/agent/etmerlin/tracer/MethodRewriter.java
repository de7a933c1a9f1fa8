/* SPDX-License-Identifier: MIT */
package etmerlin.tracer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.MultiANewArrayInsnNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;

/**
 * Inserts the probes into one method. The inserted code leaves the stack as it was, and the original
 * instruction stays, so it throws what it threw before. Variables that are added hold references only
 * between two instructions of the original.
 */
final class MethodRewriter implements Opcodes {
    private static final String REFERENCE = "Ljava/lang/Object;";

    /** An allocation whose constructor has not been called yet. */
    private record Allocation(String type, int site) {}

    private final Level level;
    private final boolean isApplication;
    private final Hierarchy hierarchy;
    private final Numbers numbers;
    private final ClassLoader loader;
    private final ClassNode node;
    private final String owner;
    private final MethodNode method;
    private final boolean isConstructor;
    private final boolean isStatic;
    private final boolean mayGo; /* the class may be unloaded, and its code can load a class as a constant */
    private int number; /* of the method in the lists; 0: none is needed so far */
    private final Deque<Allocation> allocations = new ArrayDeque<>();
    private final List<FieldInsnNode> deferred = new ArrayList<>();
    private final List<LabelNode[]> ranges = new ArrayList<>();
    private final Locals locals;
    private final Opening opening;
    private final Lasting lasting;
    private final Copies copies;
    private final Uses uses;
    private int begun; /* the variable that holds the clock at the beginning of the method */
    private int operands = -1; /* the first variable for operands; -1: there is none yet */
    private LabelNode rangeStart;
    private final Construction construction;
    private final Map<Object, LabelNode> returns = new HashMap<>(); /* by Lasting.sharedReturn: the first */
    private boolean isInitialized; /* the object, at the instruction that is visited */
    private boolean hasBegun;
    private int line;

    MethodRewriter(Level level, Scope.Treatment treatment, Hierarchy hierarchy, Numbers numbers, ClassLoader loader,
            ClassNode node, MethodNode method, boolean followsVariables) throws AnalyzerException {
        this.level = level;
        this.isApplication = treatment == Scope.Treatment.APPLICATION;
        this.hierarchy = hierarchy;
        this.numbers = numbers;
        this.loader = loader;
        this.node = node;
        owner = node.name;
        this.method = method;
        uses = new Uses(level, node, method);
        isConstructor = method.name.equals("<init>");
        isStatic = (method.access & ACC_STATIC) != 0;
        mayGo = (node.version & 0xffff) >= V1_5 && level != Level.ET3 && Scope.mayGo(loader, owner);
        locals = level.locals ? new Locals(owner, method, numbers) : null;
        boolean isPlain = isApplication && !isConstructor && !isStatic && locals == null;
        opening = isPlain ? Opening.of(method) : Opening.none();
        lasting = followsVariables ? new Lasting(owner, method) : null;
        construction = Construction.of(owner, method);
        copies = new Copies(owner, method);
    }

    void rewrite() {
        if (level == Level.ET3 && method.name.startsWith("<") || isReplaced()) {
            return;
        }
        AbstractInsnNode[] instructions = method.instructions.toArray();
        isInitialized = !isConstructor;
        Set<LabelNode> handlers = handlers();
        if (HiddenClasses.areDefinedBy(owner, method)) {
            method.instructions.insert(HiddenClasses.replaceFile().list);
        }
        if (MachineStores.haveFilled(owner, method.name)) {
            method.instructions.insert(arrived(new Code().variable(ALOAD, 0), 0).list);
        }
        Code passedOn = level == Level.ET3 ? null : MachineStores.passedOn(owner, method.name);
        if (passedOn != null) {
            method.instructions.insert(passedOn.list);
        }
        Code constants = MachineStores.constants(owner, method);
        if (constants != null) {
            method.instructions.insert(constants.list);
        }
        if (isInitialized) {
            begin(null);
        }
        if (lasting != null && !lasting.isEmpty()) {
            begun = newVariable(1);
            method.instructions.insert(clock(new Code()).variable(ISTORE, begun).list);
        }
        for (AbstractInsnNode instruction : instructions) {
            isInitialized = construction.isDoneAt(instruction);
            limitRange(instruction);
            visit(instruction);
            if (instruction instanceof LabelNode label && handlers.contains(label)) {
                handler(label);
            }
        }
        if (locals != null) {
            Variables.leaveOut(method);
        }
        uses.leaveOut(locals);
        end();
    }

    /** As {@link #rewrite}, to the extent {@link Extent#RESULT}. */
    void rewriteResult() {
        isInitialized = true;
        AbstractInsnNode[] instructions = method.instructions.toArray();
        begin(null);
        for (AbstractInsnNode instruction : instructions) {
            int opcode = instruction.getOpcode();
            if (opcode == ARETURN) {
                before(instruction, arrived(new Code().op(DUP), site("")));
                before(instruction, newConstant(new Code().op(DUP), "table"));
            } else if (Extent.isStaticStore(instruction)) {
                before(instruction, new Code().op(DUP));
                after(instruction, newConstant(new Code(), "table"));
                access((FieldInsnNode) instruction);
            }
            if (opcode == ARETURN || opcode == RETURN) {
                leave(instruction);
            }
        }
        end();
    }

    /**
     * Whether the compiler of the virtual machine has code of its own for the method, so that only callers can record
     * it.
     */
    private boolean isReplaced() {
        return owner.equals("java/util/Arrays") && method.name.startsWith("copyOf");
    }

    private Set<LabelNode> handlers() {
        Set<LabelNode> handlers = new HashSet<>();
        for (TryCatchBlockNode block : method.tryCatchBlocks) {
            handlers.add(block.handler);
        }
        return handlers;
    }

    // The frame: M, E, X, H

    private int number() {
        if (number == 0) {
            number = numbers.method(owner, method.name);
        }
        return number;
    }

    /**
     * What the probes of the frame are given, to find it again. That of library code has no record, so the lists need no
     * number for it, nor the class an entry of its constant pool; and no number of the lists is below 0.
     */
    private int frame() {
        int hash = (owner + '.' + method.name + method.desc).hashCode();
        return isApplication ? number() : Short.MIN_VALUE + Math.floorMod(hash, Short.MAX_VALUE);
    }

    private boolean hasFrame() {
        return isApplication || level.locals;
    }

    /** Inserts what begins the method, after {@code after}; null: before its first instruction. */
    private void begin(AbstractInsnNode after) {
        Code code = new Code();
        boolean isShown = !deferred.isEmpty() && mayBeShown((MethodInsnNode) after);
        if (isShown) {
            code.variable(ALOAD, 0).probe("shown", REFERENCE);
        }
        int shown = 0; /* the first variables that are recorded with the frame */
        if (isApplication) {
            enter(code);
        } else if (locals != null && (isShown || deferred.isEmpty())) {
            shown = locals.push(code, frame());
        } else if (locals != null) { /* the object gets its id from the stores that come first */
            code.number(frame()).probe("push", "I");
        }
        if (isMain()) {
            newConstant(code.variable(ALOAD, 0), "arguments");
        }
        if (!isShown) {
            putDeferred(code);
        }
        if (locals != null) {
            locals.begin(code, after, shown);
        }
        hasBegun = true;
        if (hasFrame() && !opening.isWhole) {
            rangeStart = new LabelNode();
            code.add(rangeStart);
        }
        if (after == null) {
            method.instructions.insert(code.list);
        } else {
            method.instructions.insert(after, code.list);
        }
    }

    private void putDeferred(Code code) {
        for (FieldInsnNode store : deferred) {
            code.variable(ALOAD, 0).op(DUP).field(GETFIELD, store.owner, store.name, store.desc);
            code.number(field(store)).probe("put", REFERENCE + REFERENCE + "I");
        }
    }

    /**
     * Whether, after that call of a constructor, the object has an id that brought what it held, or may get one here. Not
     * after one of its own class, which may have named it without its contents; nor after that of Object in a method
     * whose next probe names it.
     */
    private boolean mayBeShown(MethodInsnNode call) {
        return !call.owner.equals(owner) && !(isApplication && call.owner.equals("java/lang/Object"));
    }

    private boolean isMain() {
        return isApplication && isStatic && level != Level.ET3 && method.name.equals("main")
                && method.desc.equals("([Ljava/lang/String;)V");
    }

    private void enter(Code code) {
        if (isStatic) {
            code.op(ACONST_NULL);
        } else {
            code.variable(ALOAD, 0);
        }
        if (isConstructor) {
            code.number(number()).number(numbers.type(owner)).probe("construct", REFERENCE + "II");
        } else if (opening.read != null) {
            code.number(number()).number(numbers.type(opening.read.owner));
            code.probe(opening.isWhole ? "get" : "enterReading", REFERENCE + "II");
        } else {
            code.number(number()).probe("enter", REFERENCE + "I");
        }
    }

    /**
     * In a constructor with several branches, limits the range in which exceptions are recorded to where it has begun.
     */
    private void limitRange(AbstractInsnNode instruction) {
        if (!isConstructor || !hasBegun || !hasFrame() || isInitialized == (rangeStart != null)) {
            return;
        }
        LabelNode limit = new LabelNode();
        method.instructions.insertBefore(instruction, limit);
        if (isInitialized) {
            rangeStart = limit;
        } else {
            ranges.add(new LabelNode[] {rangeStart, limit});
            rangeStart = null;
        }
    }

    /** Records the return, and leaves the instruction out of the range in which exceptions are recorded. */
    private void leave(AbstractInsnNode instruction) {
        if (!hasFrame() || rangeStart == null) {
            return;
        }
        Code code = new Code().number(frame()).probe(isApplication ? "leave" : "pop", "I");
        LabelNode rangeEnd = new LabelNode();
        code.add(rangeEnd);
        method.instructions.insertBefore(instruction, code.list);
        ranges.add(new LabelNode[] {rangeStart, rangeEnd});
        rangeStart = new LabelNode();
        method.instructions.insert(instruction, rangeStart);
    }

    /** Adds the handler that an exception passes on its way out of the method. */
    private void end() {
        if (rangeStart == null && ranges.isEmpty() || level == Level.ET3) {
            return;
        }
        LabelNode last = new LabelNode();
        LabelNode handler = new LabelNode();
        if (rangeStart != null) {
            ranges.add(new LabelNode[] {rangeStart, last});
        }
        /* This frame is used where the frames of the file are kept. The handler needs no variable. */
        Code code = new Code().add(last).add(handler);
        code.add(new FrameNode(F_FULL, 0, new Object[0], 1, new Object[] {"java/lang/Throwable"}));
        if (isApplication) {
            if (locals != null) {
                code.number(locals.heldThroughout()).probe("keepCaught", "J");
            }
            code.op(DUP).number(number()).probe("unwound", "Ljava/lang/Throwable;I");
        } else {
            code.number(locals.heldThroughout()).number(frame()).probe("uncover", "JI");
            code.number(frame()).probe("pop", "I");
        }
        method.instructions.add(code.op(ATHROW).list);
        for (LabelNode[] range : ranges) {
            if (hasInstructions(range)) {
                method.tryCatchBlocks.add(new TryCatchBlockNode(range[0], range[1], handler, null));
            }
        }
    }

    private static boolean hasInstructions(LabelNode[] range) {
        for (AbstractInsnNode node = range[0]; node != range[1]; node = node.getNext()) {
            if (node.getOpcode() >= 0) {
                return true;
            }
        }
        return false;
    }

    private void handler(LabelNode label) {
        if (isApplication && level != Level.ET3 && isInitialized) {
            Code code = new Code();
            if (locals != null) {
                code.number(locals.heldIn(label)).probe("keepCaught", "J");
            }
            after(frame(label), code.op(DUP).number(number()).probe("caught", "Ljava/lang/Throwable;I"));
        } else if (locals != null && isInitialized) {
            after(frame(label), new Code().number(locals.heldIn(label)).number(frame()).probe("uncover", "JI"));
        }
    }

    /** The frame that declares the types at the label; without one, the label. */
    private static AbstractInsnNode frame(LabelNode label) {
        for (AbstractInsnNode node = label; node != null && node.getOpcode() < 0; node = node.getNext()) {
            if (node instanceof FrameNode) {
                return node;
            }
        }
        return label;
    }

    // One instruction

    private void visit(AbstractInsnNode instruction) {
        if (instruction instanceof LineNumberNode node) {
            line = node.line;
        }
        int opcode = instruction.getOpcode();
        if (sharesReturn(instruction)) {
            return;
        }
        if (lasting != null && !lasting.at(instruction).isEmpty()) {
            recordVariables(instruction, lasting.at(instruction));
        }
        if (opcode < 0) {
            return;
        }
        boolean isSuperCall = construction.isCall(instruction);
        if (isSuperCall) {
            begin(instruction);
        } else if (Construction.isConstructorCall(instruction)) {
            constructed((MethodInsnNode) instruction);
        } else if (instruction instanceof MethodInsnNode call) {
            call(call);
        } else if (instruction instanceof FieldInsnNode access) {
            access(access);
        } else {
            allocateOrStore(instruction, opcode);
        }
        if (locals != null && isInitialized && !isSuperCall) {
            locals.visit(instruction);
        }
    }

    /** If another return with the same variables has come, makes the instruction a jump to it; whether it did. */
    private boolean sharesReturn(AbstractInsnNode instruction) {
        Object key = lasting == null ? null : lasting.sharedReturn(instruction);
        if (key == null) {
            return false;
        }
        LabelNode other = returns.get(key);
        if (other == null) {
            returns.put(key, new LabelNode());
            method.instructions.insertBefore(instruction, returns.get(key));
            return false;
        }
        method.instructions.set(instruction, new JumpInsnNode(GOTO, other));
        return true;
    }

    /** Loads the clock. */
    private static Code clock(Code code) {
        return code.field(GETSTATIC, Code.PROBE, "clock", "I");
    }

    /** Records before the instruction what the variables hold, if the method has lasted long. */
    private void recordVariables(AbstractInsnNode instruction, BitSet variables) {
        LabelNode done = new LabelNode();
        before(instruction, clock(new Code()).variable(ILOAD, begun).add(new JumpInsnNode(IF_ICMPEQ, done)));
        for (int i = variables.nextSetBit(0); i >= 0; i = variables.nextSetBit(i + 1)) {
            use(instruction, new Code().variable(ALOAD, i), null, 0);
        }
        before(instruction, new Code().add(done));
    }

    private void allocateOrStore(AbstractInsnNode instruction, int opcode) {
        if (opcode == NEW) {
            String type = ((TypeInsnNode) instruction).desc;
            allocations.push(new Allocation(type, site(type)));
        } else if (opcode == ANEWARRAY) {
            String element = ((TypeInsnNode) instruction).desc;
            array(instruction, element.startsWith("[") ? "[" + element : "[L" + element + ";");
        } else if (opcode == NEWARRAY) {
            array(instruction, "[" + "ZCFDBSIJ".charAt(((IntInsnNode) instruction).operand - T_BOOLEAN));
        } else if (opcode == MULTIANEWARRAY) {
            arrays((MultiANewArrayInsnNode) instruction);
        } else if (opcode == AASTORE && level != Level.ET3) {
            storeElement(instruction);
        } else if (opcode >= IRETURN && opcode <= RETURN) {
            if (opcode == ARETURN && MachineStores.keepsResult(owner, method)) {
                before(instruction, MachineStores.held(new Code().op(DUP), method));
            }
            if (opcode == ARETURN && level.locals && isMadeByHandle()) {
                before(instruction, new Code().op(DUP).number(0).probe("linked", REFERENCE + "I"));
            }
            leave(instruction);
        } else if (opcode == ATHROW && isApplication && level != Level.ET3 && isInitialized) {
            before(instruction, new Code().op(DUP).number(number()).probe("threw", "Ljava/lang/Throwable;I"));
        } else if (opcode == LDC && level != Level.ET3) {
            constant((LdcInsnNode) instruction);
        } else if (opcode == INVOKEDYNAMIC) {
            callSite(instruction);
        } else if (isApplication && level.locals) {
            readArray(instruction, opcode);
        }
    }

    private void before(AbstractInsnNode instruction, Code code) {
        method.instructions.insertBefore(instruction, code.list);
    }

    private void after(AbstractInsnNode instruction, Code code) {
        method.instructions.insert(instruction, code.list);
    }

    // Allocations

    private int site(String type) {
        return numbers.site(number(), line, type);
    }

    /** Records a constructor call on a new object. */
    private void constructed(MethodInsnNode instruction) {
        Allocation allocation = allocationOf(instruction.owner);
        if (allocation == null) {
            return;
        }
        int type = numbers.type(level == Level.ET3 ? owner : allocation.type);
        if (level != Level.ET3) {
            before(instruction, new Code().number(type).number(allocation.site).probe("before", "II"));
        }
        Code made = copies.newObject(instruction);
        made.number(type).number(allocation.site).probe("made", REFERENCE + "II");
        if (MachineStores.haveNoProbes(allocation.type)) {
            arrived(made.op(DUP), allocation.site);
        }
        after(instruction, made);
    }

    /**
     * Removes the latest allocation of that class, since code that throws leaves others behind; null: there is none.
     */
    private Allocation allocationOf(String type) {
        for (Iterator<Allocation> at = allocations.iterator(); at.hasNext(); ) {
            Allocation allocation = at.next();
            if (allocation.type.equals(type)) {
                at.remove();
                return allocation;
            }
        }
        return null;
    }

    private void array(AbstractInsnNode instruction, String type) {
        Code code = new Code().op(DUP).number(numbers.type(level == Level.ET3 ? owner : type)).number(site(type));
        after(instruction, code.probe("array", REFERENCE + "II"));
    }

    private void arrays(MultiANewArrayInsnNode instruction) {
        if (level == Level.ET3) { /* which records an array only where it is made */
            array(instruction, instruction.desc);
            return;
        }
        after(instruction, new Code().op(DUP).number(site(instruction.desc)).probe("arrays", REFERENCE + "I"));
    }

    /** Records the object that a call site makes, such as a lambda. It holds a lambda that captures nothing. */
    private void callSite(AbstractInsnNode instruction) {
        InvokeDynamicInsnNode site = (InvokeDynamicInsnNode) instruction;
        String type = site.desc;
        boolean isNew = level != Level.ET3 && isReference(Type.getReturnType(type).getDescriptor());
        if (isNew && type.startsWith("()") && site.bsm.getOwner().equals("java/lang/invoke/LambdaMetafactory")) {
            after(instruction, newConstant(new Code().op(DUP), "constant"));
        }
        returned(instruction, type, isNew);
    }

    private static boolean isReference(String type) {
        return type.charAt(0) == 'L' || type.charAt(0) == '[';
    }

    private void constant(LdcInsnNode instruction) {
        if (!(instruction.cst instanceof Integer || instruction.cst instanceof Long
                || instruction.cst instanceof Float || instruction.cst instanceof Double)) {
            if (isReferenceConstant(instruction.cst)) {
                after(instruction, newConstant(new Code().op(DUP), "constant"));
            }
        }
    }

    /**
     * Records that this class holds the object on the stack; {@code probe}: as a constant, as its arguments, or what is
     * constant in it.
     */
    private Code newConstant(Code object, String probe) {
        object.number(numbers.constant());
        if (mayGo) {
            object.add(new LdcInsnNode(Type.getObjectType(owner)));
        } else {
            object.op(ACONST_NULL);
        }
        return object.probe(probe, REFERENCE + "ILjava/lang/Class;");
    }

    private static boolean isReferenceConstant(Object constant) {
        return !(constant instanceof org.objectweb.asm.ConstantDynamic dynamic) || isReference(dynamic.getDescriptor());
    }

    // Fields and elements

    /**
     * The number of the field. 0: it is not known which class declares it, since one has no file and is not loaded yet;
     * then all fields that it may be are recorded.
     */
    private int field(FieldInsnNode access) {
        String field = access.name + '.' + access.desc;
        String declaring = hierarchy.declaring(access.owner, field);
        boolean hasNumber = !declaring.isEmpty() || level == Level.ET3 || access.getOpcode() == PUTSTATIC && !mayGo;
        return hasNumber ? numbers.field(declaring.isEmpty() ? access.owner : declaring, field) : 0;
    }

    private void access(FieldInsnNode access) {
        boolean isReference = isReference(access.desc);
        switch (access.getOpcode()) {
            case PUTFIELD -> {
                if (isReference) {
                    putField(access);
                } else {
                    readByStore(access);
                }
            }
            case PUTSTATIC -> {
                if (isReference) {
                    before(access, new Code().op(DUP));
                    after(access, putStatic(access));
                }
            }
            case GETFIELD -> read(access, isReference);
            default -> { }
        }
    }

    private Code putStatic(FieldInsnNode access) {
        int field = field(access);
        if (field == 0) {
            Code code = new Code().op(POP).add(new LdcInsnNode(Type.getObjectType(access.owner)));
            return code.probe("filledStatics", "Ljava/lang/Class;");
        }
        Code code = new Code().number(field);
        if (!mayGo) {
            return code.probe("putStatic", REFERENCE + "I");
        }
        code.add(new LdcInsnNode(Type.getObjectType(access.owner)));
        return code.probe("putStaticOf", REFERENCE + "ILjava/lang/Class;");
    }

    /** Before the constructor of the superclass, no probe can get the object, so its stores are recorded later. */
    private void putField(FieldInsnNode access) {
        if (construction.isStore(access)) {
            deferred.add(access);
            return;
        }
        before(access, new Code().op(DUP2));
        int field = field(access);
        if (field == 0) {
            after(access, new Code().op(POP).probe("filled", REFERENCE));
            return;
        }
        String probe = MachineStores.isReferent(access) ? "putReferent" : "put";
        after(access, new Code().number(field).probe(probe, REFERENCE + REFERENCE + "I"));
    }

    private void read(FieldInsnNode access, boolean isReference) {
        boolean isRecorded = access == opening.read;
        if (!isApplication || isRecorded || !isReference && !level.locals) {
            return;
        }
        Code code = new Code();
        if (Type.getType(access.desc).getSize() == 2) {
            code.op(DUP2_X1).op(POP2);
        } else {
            code.op(SWAP);
        }
        use(access, new Code().op(DUP), code, numbers.type(access.owner));
    }

    /** A store of a number is a use of the object, like a read. */
    private void readByStore(FieldInsnNode access) {
        if (!isApplication || construction.isStore(access) || !level.locals) {
            return;
        }
        Code code = new Code();
        boolean isWide = Type.getType(access.desc).getSize() == 2;
        code.op(isWide ? DUP2_X1 : DUP_X1).op(isWide ? POP2 : POP);
        code.op(isWide ? DUP_X2 : DUP_X1);
        code.op(isWide ? DUP_X2 : DUP_X1).op(POP);
        use(access, code, new Code(), numbers.type(access.owner));
    }

    /**
     * Records a use of the object that the code before the instruction, with that after it, leaves on the stack. With
     * no code after it (null) the use comes before the instruction.
     */
    private void use(AbstractInsnNode instruction, Code before, Code after, int type) {
        Code last = (after == null ? before : after).number(type).probe("read", REFERENCE + "I");
        uses.add(after == null ? new Code() : before, last);
        before(instruction, before);
        if (after != null) {
            after(instruction, after);
        }
    }

    private int newVariable(int size) {
        int variable = method.maxLocals;
        method.maxLocals += size;
        return variable;
    }

    /**
     * The first variable for operands that an instruction keeps for its probe. All instructions share these variables,
     * since frames of thousands of variables would take memory at every label.
     */
    private int operands(int size) {
        if (operands < 0) {
            operands = method.maxLocals;
        }
        method.maxLocals = Math.max(method.maxLocals, operands + size);
        return operands;
    }

    private void storeElement(AbstractInsnNode instruction) {
        int value = operands(1);
        before(instruction, new Code().variable(ASTORE, value).op(DUP2).variable(ALOAD, value).op(DUP_X2));
        Code code = new Code().probe("stored", REFERENCE + "I" + REFERENCE);
        if (MachineStores.keepsElements(owner, method)) {
            MachineStores.held(code.variable(ALOAD, value), method);
        }
        code.clear(value);
        after(instruction, code);
    }

    private void readArray(AbstractInsnNode instruction, int opcode) {
        if (opcode >= IALOAD && opcode <= SALOAD) {
            use(instruction, new Code().op(DUP2).op(POP), null, 0);
        } else if (opcode == ARRAYLENGTH) {
            use(instruction, new Code().op(DUP), null, 0);
        } else if (opcode >= IASTORE && opcode <= SASTORE && !fillsNewArray(instruction)) {
            storeNumber(instruction, opcode);
        }
    }

    /** A store of a number is a use of the array, like a read. */
    private void storeNumber(AbstractInsnNode instruction, int opcode) {
        Type type = switch (opcode) {
            case LASTORE -> Type.LONG_TYPE;
            case FASTORE -> Type.FLOAT_TYPE;
            case DASTORE -> Type.DOUBLE_TYPE;
            default -> Type.INT_TYPE;
        };
        int value = operands(type.getSize());
        Code code = new Code().variable(type.getOpcode(ISTORE), value).op(DUP2).op(POP).op(DUP_X2).op(POP);
        use(instruction, code.variable(type.getOpcode(ILOAD), value), new Code(), 0);
    }

    /**
     * Whether the store is one of those that fill an array where it is made: its use shows there. In long lists of
     * numbers, another record of each would be too much for the method.
     */
    private static boolean fillsNewArray(AbstractInsnNode store) {
        AbstractInsnNode value = Code.previous(store);
        AbstractInsnNode index = Code.previous(value);
        AbstractInsnNode array = Code.previous(index);
        return array != null && isNumber(value) && isNumber(index) && array.getOpcode() == DUP;
    }

    private static boolean isNumber(AbstractInsnNode instruction) {
        return instruction.getOpcode() >= ICONST_M1 && instruction.getOpcode() <= LDC;
    }

    // Calls that store or allocate without an instruction of their own

    private void call(MethodInsnNode call) {
        if (level == Level.ET3) {
            return;
        }
        StoringCall stores = StoringCall.of(call, operands(0));
        NativeCall calls = recordsCalls() ? NativeCall.of(node, call, operands(0)) : null;
        if (stores != null) {
            keepOperands(call, stores.operands());
            after(call, stores.after());
        } else if (!isApplication && MachineStores.after(call, numbers) != null) {
            before(call, MachineStores.before(call, operands(1)));
            after(call, MachineStores.after(call, numbers));
        } else if (calls != null) {
            keepOperands(call, calls.operands());
            after(call, calls.after());
        }
        returned(call, call.desc, isCopy(call));
        if (isInstantiation(call) && isForHandles()) {
            after(call, new Code().op(DUP).number(site("")).probe("instantiated", REFERENCE + "I"));
        }
    }

    /** Keeps the operands of the call in variables until code after it needs them. */
    private void keepOperands(MethodInsnNode call, Operands kept) {
        operands(kept.variables());
        before(call, kept.before());
    }

    /** Whether the call of a native method uses its arguments; in libraries, as far as variables are recorded there. */
    private boolean recordsCalls() {
        return isApplication || level.locals;
    }

    /** Whether the class allocates what constructors make that are called by their handles, and capturing lambdas. */
    private boolean isForHandles() {
        return owner.equals("java/lang/invoke/DirectMethodHandle");
    }

    /**
     * Whether the method returns what a constructor has filled that it has called by its handle: that of a lambda stores
     * its fields without probes.
     */
    private boolean isMadeByHandle() {
        return owner.startsWith("java/lang/invoke/") && method.name.startsWith("newInvokeSpecial");
    }

    /** Whether the call allocates an object without calling a constructor. */
    private static boolean isInstantiation(MethodInsnNode call) {
        return call.name.startsWith("allocate") && isUnsafe(call.owner) && call.desc.endsWith(REFERENCE);
    }

    private boolean isCopy(MethodInsnNode call) {
        return call.owner.equals("java/util/Arrays") && call.name.startsWith("copyOf")
                || call.name.equals("clone") && call.desc.startsWith("()") && isReference(call.desc.substring(2))
                || call.owner.equals("java/lang/reflect/Array") && call.name.equals("newInstance")
                || call.name.equals("newInstance")
                        && (call.owner.equals("java/lang/reflect/Constructor") || call.owner.equals("java/lang/Class"))
                || call.name.equals("invoke0") && call.owner.startsWith("jdk/internal/reflect/")
                || isInstantiation(call) && !isForHandles();
    }

    /** The type of the new array of numbers that the call, which is one that copies, returns; null: another type. */
    private static String copiedNumbers(AbstractInsnNode instruction) {
        if (!(instruction instanceof MethodInsnNode call)) {
            return null;
        }
        boolean isClone = call.name.equals("clone");
        String type = isClone ? call.owner : Type.getReturnType(call.desc).getDescriptor();
        boolean isKnown = isClone || call.owner.equals("java/util/Arrays");
        return isKnown && type.length() == 2 && type.charAt(0) == '[' ? type : null;
    }

    /** Inserts what follows a call: its result may be new, and the frame of the callee is gone. */
    private void returned(AbstractInsnNode call, String type, boolean isNew) {
        boolean isReference = isReference(Type.getReturnType(type).getDescriptor());
        Code code = new Code();
        String numbersOf = isNew ? copiedNumbers(call) : null;
        if (numbersOf != null) {
            code.op(DUP).number(numbers.type(numbersOf)).number(site("")).probe("array", REFERENCE + "II");
        } else if (isNew) {
            String probe = call.getOpcode() == INVOKEDYNAMIC ? "linked" : "arrived";
            code.op(DUP).number(site("")).probe(probe, REFERENCE + "I");
        }
        if (level.locals) {
            if (isReference) {
                code.op(DUP).probe("returned", REFERENCE);
            } else {
                code.probe("returned", "");
            }
        }
        after(call, code);
    }

    private static Code arrived(Code object, int site) {
        return object.number(site).probe("arrived", REFERENCE + "I");
    }

    private static boolean isUnsafe(String owner) {
        return owner.equals("jdk/internal/misc/Unsafe") || owner.equals("sun/misc/Unsafe");
    }
}
