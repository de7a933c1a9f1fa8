/* SPDX-License-Identifier: MIT */
package etmerlin.tracer;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.LdcInsnNode;

/**
 * The numbers for names in the instrumented code of one class. They differ from run to run, so a class that may be kept
 * gets placeholders: integers that do not occur in the class itself. Each is an entry of its constant pool, which is
 * replaced by the number of the run when the class is defined, but those of sites and constants: the class gets these
 * numbers in a row, so that the first one of each kind is enough.
 */
final class Numbers {
    /** There are not enough placeholders. */
    static final class Exhausted extends RuntimeException {
        private static final long serialVersionUID = 1;

        Exhausted() {
            super(null, null, false, false);
        }
    }

    private static final int TYPE = 0;
    private static final int METHOD = 1;
    private static final int FIELD = 2;
    private static final int SITE = 3;
    private static final int CONSTANT = 4;
    private static final int KINDS = 5;

    private static final int MOST = 1 << 16; /* a constant pool has fewer entries */
    private static final int INTEGER_TAG = 3;

    /** What a number stands for; texts are given by their numbers. {@code rank}: how many of its kind come before. */
    private record Row(int kind, int first, int second, int third, int rank) {}

    private final int base; /* the first placeholder; 0: there are none, numbers are those of this run */
    private final List<Row> rows = new ArrayList<>();
    private final Map<String, Integer> named = new HashMap<>();
    private final Map<String, Integer> texts = new LinkedHashMap<>();
    private final int[] counts = new int[KINDS]; /* of the rows, by kind */
    private final int[] firsts = new int[KINDS]; /* the first placeholder of each kind */
    private boolean hasProblems;

    private Numbers(int base) {
        this.base = base;
    }

    /** The numbers of this run, without placeholders. */
    static Numbers ofThisRun() {
        return new Numbers(0);
    }

    /** Placeholders for the class of that file. */
    static Numbers kept(ClassReader file) {
        return new Numbers(unusedBase(file));
    }

    boolean areKept() {
        return base != 0;
    }

    /**
     * The first of {@link #MOST} integers in a row that do not occur in the class; it has too few to hit every such
     * range.
     */
    private static int unusedBase(ClassReader file) {
        boolean[] isUsed = new boolean[MOST];
        for (int i = 1; i < file.getItemCount(); i++) {
            int at = file.getItem(i);
            if (at > 0 && file.readByte(at - 1) == INTEGER_TAG) {
                isUsed[file.readInt(at) >>> 16] = true;
            }
        }
        int range = 1 << 14; /* begin with large integers: small ones need no constant pool */
        while (isUsed[range]) {
            range = range % (MOST - 2) + 1;
        }
        return range << 16;
    }

    int type(String name) {
        return areKept() ? name(TYPE, name, "") : Names.type(name);
    }

    int method(String owner, String name) {
        return areKept() ? name(METHOD, owner, name) : Names.method(owner, name);
    }

    int field(String owner, String name) {
        return areKept() ? name(FIELD, owner, name) : Names.field(owner, name);
    }

    int site(int method, int line, String type) {
        return areKept() ? add(SITE, method - base, line, text(type)) : Names.site(method, line, type);
    }

    int constant() {
        return areKept() ? add(CONSTANT, 0, 0, 0) : Names.constant();
    }

    /** Reports a problem; the class is not kept then. */
    void problem(String text) {
        hasProblems = true;
        Names.problem(text);
    }

    boolean haveProblems() {
        return hasProblems;
    }

    /** The placeholder for names. Names have no dots, so the key is unambiguous. */
    private int name(int kind, String first, String second) {
        String key = kind + first + '.' + second;
        Integer number = named.get(key);
        if (number == null) {
            number = add(kind, text(first), text(second), 0);
            named.put(key, number);
        }
        return number;
    }

    private int add(int kind, int first, int second, int third) {
        if (rows.size() == MOST) {
            throw new Exhausted();
        }
        if (counts[kind]++ == 0) {
            firsts[kind] = base + rows.size();
        }
        rows.add(new Row(kind, first, second, third, counts[kind] - 1));
        return base + rows.size() - 1;
    }

    /**
     * Has the code compute each number of a site or constant from the first one of the class, since the class gets them
     * in a row: each entry of a constant pool takes time, as the virtual machine compares it with all others of the class
     * that it redefines.
     */
    void compute(InsnList code) {
        for (AbstractInsnNode instruction : code) {
            Row row = instruction instanceof LdcInsnNode constant && constant.cst instanceof Integer number
                    ? row(number) : null;
            if (row != null && row.kind >= SITE && row.rank > 0 && row.rank <= Short.MAX_VALUE) {
                Code sum = new Code().number(firsts[row.kind]).number(row.rank).op(Opcodes.IADD);
                code.insert(instruction, sum.list);
                code.remove(instruction);
            }
        }
    }

    /** What the integer stands for; null: it is no placeholder. */
    private Row row(int number) {
        int row = number - base;
        return areKept() && row >= 0 && row < rows.size() ? rows.get(row) : null;
    }

    private int text(String text) {
        Integer number = texts.putIfAbsent(text, texts.size());
        return number == null ? texts.size() - 1 : number;
    }

    /**
     * The entry of the cache for a class that was {@code written} with placeholders, and that depends on those answers,
     * in the form that {@link Cache#make} reads.
     */
    byte[] entry(byte[] written, Iterable<Hierarchy.Answer> answers) throws IOException {
        int[] offsets = offsets(ClassFile.reader(written));
        List<int[]> asked = new ArrayList<>();
        for (Hierarchy.Answer answer : answers) {
            asked.add(new int[] {text(answer.question().name()), text(answer.one()), text(answer.other()),
                text(answer.result())});
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(2 * written.length);
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(texts.size());
        for (String text : texts.keySet()) {
            out.writeUTF(text);
            out.writeByte(0);
        }
        out.writeInt(rows.size());
        for (int i = 0; i < offsets.length; i++) {
            Row row = rows.get(i);
            writeInts(out, row.kind, row.first, row.second, row.third, offsets[i]);
        }
        out.writeInt(asked.size());
        for (int[] answer : asked) {
            writeInts(out, answer);
        }
        out.writeInt(written.length);
        out.write(written);
        return bytes.toByteArray();
    }

    private static void writeInts(DataOutputStream out, int... values) throws IOException {
        for (int value : values) {
            out.writeInt(value);
        }
    }

    /** The offset of each placeholder in the file; 0: it is not there. */
    private int[] offsets(ClassReader file) {
        int[] offsets = new int[rows.size()];
        for (int i = 1; i < file.getItemCount(); i++) {
            int at = file.getItem(i);
            if (at > 0 && file.readByte(at - 1) == INTEGER_TAG) {
                int row = file.readInt(at) - base;
                if (row >= 0 && row < offsets.length) {
                    offsets[row] = at;
                }
            }
        }
        return offsets;
    }
}
