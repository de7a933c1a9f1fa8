/* SPDX-License-Identifier: MIT */
package etmerlin.tracer;

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.InnerClassNode;
import org.objectweb.asm.tree.LocalVariableNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Versions of class files. ASM does not know the newest ones. These have added attributes, which ASM passes on
 * unchanged, but no instructions, so they are read as files of the newest version it knows.
 */
final class ClassFile {
    private static final int NEWEST = Opcodes.V20 & 0xffff;
    private static final int VERSION_AT = 6;

    private ClassFile() {}

    static int version(byte[] file) {
        return (file[VERSION_AT] & 0xff) << 8 | file[VERSION_AT + 1] & 0xff;
    }

    static ClassReader reader(byte[] file) {
        return new ClassReader(version(file) <= NEWEST ? file : withVersion(file.clone(), NEWEST));
    }

    /** Changes {@code file} and returns it. */
    static byte[] withVersion(byte[] file, int version) {
        file[VERSION_AT] = (byte) (version >> 8);
        file[VERSION_AT + 1] = (byte) version;
        return file;
    }

    /**
     * The version in which code can load a class as a constant, as the probes of static fields do: 49, if the file has
     * an older one, whose rules for code are the same. A class stays as it is if it has flags that version 49 refuses,
     * or attributes that are read only from it on.
     */
    static int versionWithClasses(ClassNode node) {
        boolean stays = (node.version & 0xffff) >= Opcodes.V1_5
                || (node.access & (Opcodes.ACC_INTERFACE | Opcodes.ACC_ANNOTATION)) != 0
                || node.signature != null || node.visibleAnnotations != null
                || node.visibleTypeAnnotations != null || node.outerClass != null;
        for (InnerClassNode inner : node.innerClasses) {
            boolean isInterface = (inner.access & Opcodes.ACC_INTERFACE) != 0;
            int refused = isInterface ? Opcodes.ACC_SUPER | Opcodes.ACC_ENUM : Opcodes.ACC_ANNOTATION;
            stays |= (inner.access & refused) != 0;
        }
        for (FieldNode field : node.fields) {
            stays |= field.signature != null || field.visibleAnnotations != null || field.visibleTypeAnnotations != null;
        }
        for (MethodNode method : node.methods) {
            stays |= hasRefusedFlags(method) || hasNewAttributes(method);
        }
        return stays ? node.version : Opcodes.V1_5;
    }

    private static boolean hasRefusedFlags(MethodNode method) {
        int refused = method.name.startsWith("<") ? Opcodes.ACC_BRIDGE
                : (method.access & Opcodes.ACC_ABSTRACT) != 0 ? Opcodes.ACC_SYNCHRONIZED | Opcodes.ACC_STRICT : 0;
        return (method.access & refused) != 0;
    }

    private static boolean hasNewAttributes(MethodNode method) {
        boolean any = method.signature != null || method.visibleAnnotations != null
                || method.visibleParameterAnnotations != null || method.visibleTypeAnnotations != null
                || method.annotationDefault != null;
        if (method.localVariables != null) {
            for (LocalVariableNode variable : method.localVariables) {
                any |= variable.signature != null;
            }
        }
        return any;
    }
}
