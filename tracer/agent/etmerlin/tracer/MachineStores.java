/* SPDX-License-Identifier: MIT */
package etmerlin.tracer;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * The methods of the JDK in which the virtual machine itself stores references, or keeps them, which no
 * instruction shows.
 */
final class MachineStores implements Opcodes {
    private static final String LINKER = "java/lang/invoke/MethodHandleNatives";
    private static final String THREAD = "java/lang/Thread";
    private static final String THROWABLE = "java/lang/Throwable";
    private static final String REFERENCE = "Ljava/lang/Object;";
    private static final String REFERENCE_CLASS = "java/lang/ref/Reference";
    private static final int BY_COLLECTOR = 1;
    private static final int BY_PROGRAM = 2;

    private MachineStores() {}

    /**
     * Whether the virtual machine keeps what the method returns. It does not keep the name of a member, but only the
     * code to which that leads.
     */
    static boolean keepsResult(String owner, MethodNode method) {
        return isLinker(owner, method.name) && !method.desc.endsWith(")Ljava/lang/invoke/MemberName;");
    }

    /** Whether the virtual machine keeps what the method stores in arrays. */
    static boolean keepsElements(String owner, MethodNode method) {
        return isLinker(owner, method.name);
    }

    /**
     * Records that the virtual machine keeps the object on the stack, for the class that is the method's first
     * argument, if any.
     */
    static Code held(Code object, MethodNode method) {
        if (method.name.startsWith("link")) {
            object.variable(ALOAD, 0);
        } else {
            object.op(ACONST_NULL);
        }
        return object.probe("held", REFERENCE + REFERENCE);
    }

    /**
     * What comes first in a method that links a call or a constant: the strings among the arguments that the class
     * gives are constants, which it keeps. Null: the method links neither.
     */
    static Code constants(String owner, MethodNode method) {
        boolean isCall = method.name.equals("linkCallSite");
        if (!owner.equals(LINKER) || !isCall && !method.name.equals("linkDynamicConstant")) {
            return null;
        }
        int arguments = Type.getArgumentTypes(method.desc).length - (isCall ? 2 : 1); /* a call has one more */
        return new Code().variable(ALOAD, arguments).variable(ALOAD, 0).probe("constants", REFERENCE + REFERENCE);
    }

    private static boolean isLinker(String owner, String method) {
        return owner.equals(LINKER) && (method.startsWith("link") || method.startsWith("find")
                || method.startsWith("varHandleOperationLinker"));
    }

    /** Whether the method is the first to be called on an object that the virtual machine has filled. */
    static boolean haveFilled(String owner, String method) {
        return owner.equals("java/lang/StackTraceElement") && method.equals("computeFormat");
    }

    /** Whether the constructor of that class has no probes: a virtual thread must not be stopped in its code. */
    static boolean haveNoProbes(String type) {
        return type.equals("java/lang/VirtualThread");
    }

    static boolean isReferent(FieldInsnNode store) {
        return store.name.equals("referent") && store.owner.equals(REFERENCE_CLASS);
    }

    /**
     * What comes first in a method that is called on each reference object after the collector has cleared it, by the
     * thread of the virtual machine that passes these on. Null: the method is none. The program may call that of a
     * cleaner, too: that thread does so anyway, before or afterwards.
     */
    static Code passedOn(String owner, String method) {
        if (owner.equals(REFERENCE_CLASS) && method.equals("enqueueFromPending")) {
            return new Code().variable(ALOAD, 0).number(1).number(BY_COLLECTOR).probe("cleared", REFERENCE + "II");
        }
        if (owner.equals("jdk/internal/ref/Cleaner") && method.equals("clean")) {
            Code code = isPassedOn(new Code().variable(ALOAD, 0));
            return refersToNull(code).op(IAND).number(BY_COLLECTOR).probe("cleared", REFERENCE + "II");
        }
        return null;
    }

    /** Code that pushes whether the thread is the one that passes reference objects on. */
    private static Code isPassedOn(Code code) {
        code.add(new MethodInsnNode(INVOKESTATIC, THREAD, "currentThread", "()L" + THREAD + ";", false));
        code.add(new MethodInsnNode(INVOKEVIRTUAL, THREAD, "getName", "()Ljava/lang/String;", false));
        code.add(new LdcInsnNode("Reference Handler"));
        return code.add(new MethodInsnNode(INVOKEVIRTUAL, "java/lang/String", "equals", "(" + REFERENCE + ")Z", false));
    }

    /** Whether the call clears the method's own object, a reference object. */
    private static boolean clearsReference(MethodInsnNode call) {
        return call.name.equals("clear0") && call.owner.startsWith("java/lang/ref/");
    }

    /** Code that pushes whether the method's own object, a reference object, refers to nothing. */
    private static Code refersToNull(Code code) {
        code.variable(ALOAD, 0).op(ACONST_NULL);
        return code.add(new MethodInsnNode(INVOKEVIRTUAL, REFERENCE_CLASS, "refersTo", "(" + REFERENCE + ")Z", false));
    }

    /** The code before such a call, with which {@link #after} finds the object; empty if it needs none. */
    static Code before(MethodInsnNode call, int variable) {
        if (clearsReference(call)) { /* afterwards it cannot be seen whether there was something to clear */
            Code code = refersToNull(new Code().variable(ALOAD, 0)).number(1).op(IXOR);
            return code.number(BY_PROGRAM).probe("cleared", REFERENCE + "II");
        }
        if (call.owner.equals(LINKER) && call.name.equals("expand")) {
            return new Code().op(DUP);
        }
        if (call.owner.equals(LINKER) && call.name.equals("init")) {
            return new Code().variable(ASTORE, variable).op(DUP).variable(ALOAD, variable).clear(variable);
        }
        return new Code();
    }

    /** The code that records what the virtual machine stores in a call; null: it stores nothing. */
    static Code after(MethodInsnNode call, Numbers numbers) {
        Code code = hidden(call, numbers);
        if (code != null) {
            return code;
        }
        code = new Code();
        if (call.owner.equals(THROWABLE) && call.desc.equals("(I)L" + THROWABLE + ";")) {
            code.variable(ALOAD, 0).op(DUP).field(GETFIELD, THROWABLE, "backtrace", REFERENCE);
            return put(code, numbers.field(THROWABLE, "backtrace." + REFERENCE));
        }
        if (call.owner.equals("java/lang/Class") && call.name.equals("initClassName")) {
            code.variable(ALOAD, 0);
        } else if (call.owner.equals(LINKER) && call.name.equals("resolve")) {
            code.op(DUP);
        } else if (!call.owner.equals(LINKER) || !call.name.equals("expand") && !call.name.equals("init")) {
            return null;
        }
        return code.number(0).probe("arrived", REFERENCE + "I");
    }

    /** The code that records a store into a field that the virtual machine alone stores; null: the call stores none. */
    private static Code hidden(MethodInsnNode call, Numbers numbers) {
        Code code = new Code();
        if (call.owner.equals(LINKER) && call.name.startsWith("setCallSiteTarget")) {
            code.variable(ALOAD, 0).variable(ALOAD, 1);
            return put(code, numbers.field("java/lang/invoke/CallSite", "target.Ljava/lang/invoke/MethodHandle;"));
        }
        if (clearsReference(call)) {
            code.variable(ALOAD, 0).op(ACONST_NULL).number(numbers.field(REFERENCE_CLASS, "referent." + REFERENCE));
            return code.probe("putReferent", REFERENCE + REFERENCE + "I");
        }
        if (call.owner.equals("java/lang/Class") && call.name.equals("setSigners")) {
            code.variable(ALOAD, 1).variable(ALOAD, 2); /* in a method of ClassLoader with the same parameters */
            return put(code, numbers.field("java/lang/Class", "signers.[" + REFERENCE));
        }
        boolean isDefinition = call.owner.equals("java/lang/ClassLoader")
                && (call.name.equals("defineClass1") || call.name.equals("defineClass2"));
        if (isDefinition && Code.previous(Code.previous(call)) instanceof VarInsnNode domain) { /* the last parameter but one */
            code.op(DUP).variable(ALOAD, domain.var);
            return put(code, numbers.field("java/lang/Class", "protectionDomain.Ljava/security/ProtectionDomain;"));
        }
        return null;
    }

    private static Code put(Code code, int field) {
        return code.number(field).probe("put", REFERENCE + REFERENCE + "I");
    }
}
