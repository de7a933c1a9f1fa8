/* SPDX-License-Identifier: MIT */
package etmerlin.tracer;

import etmerlin.tracer.asm.ClassReader;
import etmerlin.tracer.asm.ClassWriter;
import etmerlin.tracer.asm.Opcodes;
import etmerlin.tracer.asm.tree.AbstractInsnNode;
import etmerlin.tracer.asm.tree.ClassNode;
import etmerlin.tracer.asm.tree.InsnNode;
import etmerlin.tracer.asm.tree.MethodNode;
import etmerlin.tracer.asm.tree.TypeInsnNode;
import etmerlin.tracer.asm.tree.VarInsnNode;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;

/**
 * Changes single instructions of classes, and compares the verdicts of the tracer's checker and of the virtual
 * machine's verifier. Prints how many classes both accept, how many both refuse, and each one on which they differ.
 */
public class Verdicts {
    /** A loader of one class, none of whose code is run. */
    private static final class Loader extends ClassLoader {
        private final String name;
        private final byte[] file;

        Loader(String name, byte[] file) {
            super(Verdicts.class.getClassLoader());
            this.name = name;
            this.file = file;
        }

        @Override
        protected Class<?> loadClass(String wanted, boolean links) throws ClassNotFoundException {
            return wanted.equals(name) ? defineClass(name, file, 0, file.length) : super.loadClass(wanted, links);
        }
    }

    private static boolean isTaken(String name, byte[] file) throws Exception {
        try {
            Class.forName(name, false, new Loader(name, file)).getDeclaredMethods();
            return true;
        } catch (VerifyError e) {
            return false;
        }
    }

    /** Instructions that may replace this one; the frames do not change. */
    private static List<AbstractInsnNode> others(AbstractInsnNode instruction, MethodNode method) {
        List<AbstractInsnNode> others = new ArrayList<>();
        int opcode = instruction.getOpcode();
        if (instruction instanceof VarInsnNode access) {
            for (int variable = 0; variable + 1 < method.maxLocals; variable++) {
                others.add(new VarInsnNode(opcode, variable));
            }
            boolean isLoad = opcode <= Opcodes.ALOAD;
            others.add(new VarInsnNode(isLoad ? Opcodes.ALOAD : Opcodes.ASTORE, access.var));
            others.add(new VarInsnNode(isLoad ? Opcodes.ILOAD : Opcodes.ISTORE, access.var));
        } else if (instruction instanceof TypeInsnNode) {
            others.add(new TypeInsnNode(opcode, "java/util/ArrayList"));
            others.add(new TypeInsnNode(opcode, "java/lang/Object"));
        } else if (opcode == Opcodes.DUP || opcode == Opcodes.POP || opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) {
            others.add(new InsnNode(Opcodes.NOP));
            others.add(new InsnNode(Opcodes.DUP));
            others.add(new InsnNode(Opcodes.ARETURN));
        } else if (opcode >= Opcodes.ICONST_M1 && opcode <= Opcodes.ICONST_5) {
            others.add(new InsnNode(Opcodes.ACONST_NULL));
            others.add(new InsnNode(Opcodes.LCONST_0));
        }
        return others;
    }

    private static int agreed;
    private static int refused;

    /** That of this program's loader. Those of other loaders are known only while a program is traced. */
    private static Hierarchy hierarchy() {
        return new Hierarchy(new Hierarchies(), Verdicts.class.getClassLoader(), new HashMap<>());
    }

    private static void compare(ClassNode node, String what) throws Exception {
        ClassWriter writer = new ClassWriter(0);
        node.accept(writer);
        byte[] file = writer.toByteArray();
        boolean isTaken = isTaken(node.name.replace('/', '.'), file);
        boolean fits = new TypeChecker(hierarchy()).failing(file).isEmpty();
        if (isTaken != fits) {
            System.out.println(what + (isTaken ? ": taken, and the checker refuses it" : ": refused, and the checker takes it"));
        }
        agreed += isTaken && fits ? 1 : 0;
        refused += isTaken || fits ? 0 : 1;
    }

    private static void change(ClassNode node, MethodNode method) throws Exception {
        method.maxStack += 2;
        for (AbstractInsnNode instruction : method.instructions.toArray()) {
            for (AbstractInsnNode other : others(instruction, method)) {
                method.instructions.set(instruction, other);
                compare(node, node.name + "." + method.name + " " + method.instructions.indexOf(other));
                method.instructions.set(other, instruction);
            }
        }
    }

    public static void main(String[] names) throws Exception {
        for (String name : names) {
            ClassNode node = new ClassNode();
            try (InputStream in = Verdicts.class.getResourceAsStream("/" + name + ".class")) {
                new ClassReader(in.readAllBytes()).accept(node, 0);
            }
            compare(node, name);
            for (MethodNode method : node.methods) {
                change(node, method);
            }
        }
        System.out.println(agreed + " taken, " + refused + " refused");
    }
}
