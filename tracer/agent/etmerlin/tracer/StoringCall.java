/* SPDX-License-Identifier: MIT */
package etmerlin.tracer;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * A call of a native method that stores references. Its operands are kept in variables, and passed to a
 * probe after it. A call by reflection or a method handle does not name the method: then the probe finds
 * out whether it is such a method.
 */
final class StoringCall implements Opcodes {
    private static final String REFERENCE = "Ljava/lang/Object;";
    private static final String UNSAFE = "jdk/internal/misc/Unsafe";
    private static final String MEMBER = "Ljava/lang/invoke/MemberName;)";

    /** The call of the probe: its name, its parameters, and the numbers of the operands that it gets. */
    private enum Kind {
        COPY("copied", REFERENCE + "II", 2, 3, 4),
        SET("storedIn", REFERENCE + "I", 0, 1),
        BY_OFFSET("storedAt", REFERENCE + "J", 1, 2),
        INVOKED("invoked", REFERENCE + REFERENCE + REFERENCE, 0, 1, 2),
        LINKED_COPY("linkedCopy", REFERENCE + REFERENCE + "II", 5, 2, 3, 4),
        LINKED_SET("linkedSet", REFERENCE + REFERENCE + "I", 3, 0, 1),
        LINKED_BY_OFFSET("linkedAt", REFERENCE + REFERENCE + "J", 0, 1, 2),
        UPCALL("held", REFERENCE + REFERENCE, 0, 1),
        FILLED("filled", REFERENCE, 2);

        private final String probe;
        private final String parameters;
        private final int[] operands;

        Kind(String probe, String parameters, int... operands) {
            this.probe = probe;
            this.parameters = parameters;
            this.operands = operands;
        }
    }

    private final Kind kind;
    private final Operands operands;

    private StoringCall(Kind kind, Operands operands) {
        this.kind = kind;
        this.operands = operands;
    }

    /** Null: the call is none of these. The variables from {@code first} on are free. */
    static StoringCall of(MethodInsnNode call, int first) {
        Kind kind = kind(call);
        return kind == null ? null : new StoringCall(kind, new Operands(call, first));
    }

    private static Kind kind(MethodInsnNode call) {
        if (call.owner.equals("java/lang/System") && call.name.equals("arraycopy")) {
            return Kind.COPY;
        }
        if (call.owner.equals("java/lang/reflect/Array") && call.name.equals("set")) {
            return Kind.SET;
        }
        if (call.name.equals("invoke0") && call.owner.startsWith("jdk/internal/reflect/")
                && call.desc.equals("(Ljava/lang/reflect/Method;" + REFERENCE + "[" + REFERENCE + ")" + REFERENCE)) {
            return Kind.INVOKED;
        }
        if (call.owner.equals("java/lang/invoke/MethodHandle") && call.name.startsWith("linkTo")) {
            return linked(call.desc);
        }
        if (call.owner.equals("jdk/internal/foreign/abi/UpcallLinker") && call.name.equals("makeUpcallStub")) {
            return Kind.UPCALL; /* held for ever, even if the arena of the stub is closed */
        }
        if (call.owner.equals("sun/management/ThreadImpl") && call.name.equals("getThreadInfo1")) {
            return Kind.FILLED;
        }
        return storesByOffset(call) ? Kind.BY_OFFSET : null;
    }

    /**
     * The kind of a call by a method handle; null: none of these. All references in its type are Objects, so other methods
     * may have the same type: the probe compares the method.
     */
    private static Kind linked(String type) {
        if (type.equals("(" + REFERENCE + "I" + REFERENCE + "II" + MEMBER + "V")) {
            return Kind.LINKED_COPY;
        }
        if (type.equals("(" + REFERENCE + "I" + REFERENCE + MEMBER + "V")) {
            return Kind.LINKED_SET;
        }
        String begin = "(" + REFERENCE + REFERENCE + "J" + REFERENCE;
        return type.startsWith(begin + MEMBER) || type.startsWith(begin + REFERENCE + MEMBER)
                ? Kind.LINKED_BY_OFFSET
                : null;
    }

    private static boolean storesByOffset(MethodInsnNode call) {
        return call.owner.equals(UNSAFE) && call.desc.startsWith("(" + REFERENCE + "J")
                && (call.name.startsWith("put") || call.name.contains("ompareAnd") || call.name.startsWith("getAndSet"))
                && (call.name.contains("Reference") || call.name.contains("Object"));
    }

    Operands operands() {
        return operands;
    }

    /** The code after the call. */
    Code after() {
        Code code = new Code();
        for (int operand : kind.operands) {
            operands.load(code, operand);
        }
        return operands.clear(code.probe(kind.probe, kind.parameters));
    }
}
