/* SPDX-License-Identifier: MIT */
import etmerlin.tracer.asm.ClassWriter;
import etmerlin.tracer.asm.Label;
import etmerlin.tracer.asm.MethodVisitor;
import etmerlin.tracer.asm.Opcodes;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;

/**
 * A constructor that calls that of its superclass in either of two branches, as compilers of other languages make them.
 * While it goes on and calls the program, only its variables hold its first argument, a large array.
 */
public class Branched implements Opcodes {
    private static final int LENGTH = 1_000_000;

    private static int ticks;

    /** The superclass, of which the constructors call nothing. */
    public static class Base {
        public Base() {}

        public Base(int number) {}
    }

    public static void back() {
        for (int i = 0; i < 300; i++) {
            tick();
        }
    }

    private static void tick() {
        ticks++;
    }

    /** A class with the constructor (int[] array, int number), and a method make(number) that calls it. */
    private static byte[] file() {
        ClassWriter file = new ClassWriter(ClassWriter.COMPUTE_FRAMES);
        file.visit(V17, ACC_PUBLIC, "Halved", null, "Branched$Base", null);
        MethodVisitor method = file.visitMethod(ACC_PUBLIC, "<init>", "([II)V", null, null);
        Label other = new Label();
        Label end = new Label();
        method.visitVarInsn(ALOAD, 0);
        method.visitVarInsn(ILOAD, 2);
        method.visitJumpInsn(IFEQ, other);
        method.visitVarInsn(ILOAD, 2);
        method.visitMethodInsn(INVOKESPECIAL, "Branched$Base", "<init>", "(I)V", false);
        method.visitJumpInsn(GOTO, end);
        method.visitLabel(other);
        method.visitMethodInsn(INVOKESPECIAL, "Branched$Base", "<init>", "()V", false);
        method.visitLabel(end);
        method.visitMethodInsn(INVOKESTATIC, "Branched", "back", "()V", false);
        method.visitInsn(RETURN);
        method.visitMaxs(0, 0);
        method = file.visitMethod(ACC_PUBLIC | ACC_STATIC, "make", "(I)Ljava/lang/Object;", null, null);
        method.visitTypeInsn(NEW, "Halved");
        method.visitInsn(DUP);
        method.visitLdcInsn(LENGTH);
        method.visitIntInsn(NEWARRAY, T_INT);
        method.visitVarInsn(ILOAD, 0);
        method.visitMethodInsn(INVOKESPECIAL, "Halved", "<init>", "([II)V", false);
        method.visitInsn(ARETURN);
        method.visitMaxs(0, 0);
        return file.toByteArray();
    }

    public static void main(String[] arguments) throws ReflectiveOperationException {
        Method make = MethodHandles.lookup().defineClass(file()).getMethod("make", int.class);
        for (int i = 0; i < 8; i++) {
            make.invoke(null, i % 2);
        }
        System.out.println(ticks);
    }
}
