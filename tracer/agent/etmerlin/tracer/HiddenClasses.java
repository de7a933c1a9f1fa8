/* SPDX-License-Identifier: MIT */
package etmerlin.tracer;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * The virtual machine offers no hidden class to an agent: those that programs define, and the forms
 * of method handles. So the method of the JDK that hands their files over asks the agent first.
 */
final class HiddenClasses implements Opcodes {
    private static final String LOADER = "Ljava/lang/ClassLoader;";
    private static final String DEFINITION =
            "(" + LOADER + "Ljava/lang/Class;Ljava/lang/String;[BLjava/security/ProtectionDomain;ZILjava/lang/Object;)"
            + "Ljava/lang/Class;";
    private static final int LOADER_VARIABLE = 1;
    private static final int FILE_VARIABLE = 4;
    private static final int FLAGS_VARIABLE = 7;
    private static final int HIDDEN_FLAG = 2;

    private HiddenClasses() {}

    /** Whether the method, of a class of that name, hands over files of hidden classes. */
    static boolean areDefinedBy(String owner, MethodNode method) {
        return owner.startsWith("java/lang/System$") && method.name.equals("defineClass")
                && method.desc.equals(DEFINITION);
    }

    /** Replaces the file, at the beginning of that method. */
    static Code replaceFile() {
        Code code = new Code().variable(ALOAD, LOADER_VARIABLE).variable(ALOAD, FILE_VARIABLE);
        code.variable(ILOAD, FLAGS_VARIABLE);
        code.add(new MethodInsnNode(INVOKESTATIC, "etmerlin/tracer/Agent", "replaced", "(" + LOADER + "[BI)[B", false));
        return code.variable(ASTORE, FILE_VARIABLE);
    }

    /** Whether a file with those flags makes a hidden class; others are offered to the agent later. */
    static boolean isOne(int flags) {
        return (flags & HIDDEN_FLAG) != 0;
    }

    /**
     * Whether the class is the object of a lambda: its allocation is recorded with all that it holds
     * where the lambda stands, and it stores nothing else.
     */
    static boolean isLambda(String name) {
        return name.contains("$$Lambda");
    }
}
