/* SPDX-License-Identifier: MIT */
package etmerlin.tracer;

import java.util.HashSet;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodTooLargeException;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.JSRInlinerAdapter;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Instruments a class. A method that grows beyond what a class file can hold is left alone.
 *
 * <p>Where handlers are added, all frames are computed anew: without them a collection may crash
 * on what was inserted. Else the frames stay as they are, for nothing is inserted that branches.
 */
final class ClassRewriter {
    private final Level level;
    private final Hierarchy hierarchy = new Hierarchy();

    ClassRewriter(Level level) {
        this.level = level;
    }

    byte[] rewrite(ClassLoader loader, String name, byte[] file, Scope.Treatment treatment) {
        int version = ClassFile.version(file);
        ClassReader reader = ClassFile.reader(file);
        hierarchy.add(reader);
        Set<String> left = new HashSet<>();
        boolean keepsFrames = treatment == Scope.Treatment.LIBRARY && !level.locals && (version & 0xffff) > Opcodes.V1_6;
        while (true) {
            ClassNode node = read(reader, keepsFrames);
            rewriteMethods(loader, node, treatment, left);
            Writer writer = new Writer(loader, keepsFrames ? ClassWriter.COMPUTE_MAXS : ClassWriter.COMPUTE_FRAMES);
            node.accept(writer);
            try {
                byte[] written = ClassFile.withVersion(writer.toByteArray(), version);
                Names.instrumented(Names.type(name));
                return written;
            } catch (MethodTooLargeException e) {
                left.add(e.getMethodName() + e.getDescriptor());
                Names.problem("method " + name + "." + e.getMethodName() + e.getDescriptor()
                        + ": too large when instrumented");
            }
        }
    }

    /** Subroutines of old compilers are expanded: frames cannot describe them. */
    private static ClassNode read(ClassReader reader, boolean keepsFrames) {
        ClassNode node = new ClassNode();
        if (keepsFrames) {
            reader.accept(node, 0);
            return node;
        }
        reader.accept(new ClassVisitor(Opcodes.ASM9, node) {
            @Override
            public MethodVisitor visitMethod(int access, String name, String type, String generic, String[] thrown) {
                MethodVisitor method = super.visitMethod(access, name, type, generic, thrown);
                return new JSRInlinerAdapter(method, access, name, type, generic, thrown);
            }
        }, ClassReader.SKIP_FRAMES);
        return node;
    }

    private void rewriteMethods(ClassLoader loader, ClassNode node, Scope.Treatment treatment, Set<String> left) {
        for (MethodNode method : node.methods) {
            boolean hasCode = (method.access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) == 0;
            if (hasCode && !left.contains(method.name + method.desc)) {
                new MethodRewriter(level, treatment, hierarchy, loader, node, method).rewrite();
            }
        }
    }

    private final class Writer extends ClassWriter {
        private final ClassLoader loader;

        Writer(ClassLoader loader, int flags) {
            super(flags);
            this.loader = loader;
        }

        @Override
        protected String getCommonSuperClass(String one, String other) {
            return hierarchy.common(loader, one, other);
        }
    }
}
