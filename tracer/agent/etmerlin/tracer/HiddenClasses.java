/* SPDX-License-Identifier: MIT */
package etmerlin.tracer;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Hidden classes are those that programs define as such, and those that the JDK makes for method handles.
 * The virtual machine does not offer them to agents, so the method of the JDK that passes their files to it
 * is changed to ask the agent first.
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

    /** Whether the method, of the class {@code owner}, passes files of hidden classes to the virtual machine. */
    static boolean areDefinedBy(String owner, MethodNode method) {
        return owner.startsWith("java/lang/System$") && method.name.equals("defineClass")
                && method.desc.equals(DEFINITION);
    }

    /** The code at the beginning of that method, which replaces the file. */
    static Code replaceFile() {
        Code code = new Code().variable(ALOAD, LOADER_VARIABLE).variable(ALOAD, FILE_VARIABLE);
        code.variable(ILOAD, FLAGS_VARIABLE);
        code.add(new MethodInsnNode(INVOKESTATIC, "etmerlin/tracer/Agent", "replaced", "(" + LOADER + "[BI)[B", false));
        return code.variable(ASTORE, FILE_VARIABLE);
    }

    /** Whether a class with those flags is hidden; the virtual machine offers others to the agent later. */
    static boolean isOne(int flags) {
        return (flags & HIDDEN_FLAG) != 0;
    }

    /**
     * Whether the class is that of a lambda. Such an object is recorded, with all that it holds, by the code that makes
     * it, and its class stores nothing else.
     */
    static boolean isLambda(String name) {
        return name.contains("$$Lambda");
    }
}
