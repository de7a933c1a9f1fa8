/* SPDX-License-Identifier: MIT */
import etmerlin.tracer.asm.ClassWriter;
import etmerlin.tracer.asm.Handle;
import etmerlin.tracer.asm.MethodVisitor;
import etmerlin.tracer.asm.Opcodes;
import java.lang.invoke.CallSite;
import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.function.UnaryOperator;

/**
 * Call sites that are not those of lambdas, as compilers of other languages make them: one returns its argument, an array,
 * another one an object that only its caller holds.
 */
public class CallSites implements Opcodes {
    private static final int CALLS = 500;

    public static CallSite link(MethodHandles.Lookup caller, String name, MethodType type)
            throws ReflectiveOperationException {
        return new ConstantCallSite(MethodHandles.lookup().findStatic(CallSites.class, name, type));
    }

    public static Object same(Object object) {
        return object;
    }

    public static Object make() {
        return new int[77];
    }

    /** A class with a method apply that calls make, and returns what same returns for its argument. */
    private static byte[] file() {
        ClassWriter file = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        file.visit(V17, ACC_PUBLIC, "Calling", null, "java/lang/Object", new String[] {"java/util/function/UnaryOperator"});
        Handle link = new Handle(H_INVOKESTATIC, "CallSites", "link", "(Ljava/lang/invoke/MethodHandles$Lookup;"
                + "Ljava/lang/String;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/CallSite;", false);
        MethodVisitor method = file.visitMethod(ACC_PUBLIC, "<init>", "()V", null, null);
        method.visitVarInsn(ALOAD, 0);
        method.visitMethodInsn(INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
        method.visitInsn(RETURN);
        method.visitMaxs(0, 0);
        method = file.visitMethod(ACC_PUBLIC, "apply", "(Ljava/lang/Object;)Ljava/lang/Object;", null, null);
        method.visitInvokeDynamicInsn("make", "()Ljava/lang/Object;", link);
        method.visitInsn(POP);
        method.visitVarInsn(ALOAD, 1);
        method.visitInvokeDynamicInsn("same", "(Ljava/lang/Object;)Ljava/lang/Object;", link);
        method.visitInsn(ARETURN);
        method.visitMaxs(0, 0);
        return file.toByteArray();
    }

    public static void main(String[] arguments) throws ReflectiveOperationException {
        Class<?> calling = MethodHandles.lookup().defineClass(file());
        @SuppressWarnings("unchecked")
        UnaryOperator<Object> operator = (UnaryOperator<Object>) calling.getDeclaredConstructor().newInstance();
        Object[] array = new Object[CALLS];
        for (int i = 0; i < CALLS; i++) {
            array[i] = new Object();
        }
        int length = 0;
        for (int i = 0; i < CALLS; i++) {
            length += ((Object[]) operator.apply(array)).length;
        }
        System.out.println(length);
    }
}
