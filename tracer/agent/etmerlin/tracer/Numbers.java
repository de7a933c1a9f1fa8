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

/**
 * The numbers that the instrumented code of one class has for names. Since they differ from run to run, a class that
 * may be kept gets placeholders: integers that the class has not got itself. Each takes an entry of its constant pool,
 * where the number of the run goes when the class is defined.
 */
final class Numbers {
    /** There are more of them than placeholders. */
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

    private static final int MOST = 1 << 16; /* a constant pool has fewer entries */
    private static final int INTEGER_TAG = 3;

    /** What a number stands for; texts are numbers of theirs. */
    private record Row(int kind, int first, int second, int third) {}

    private final int base; /* the first placeholder; 0: there are none, numbers are those of this run */
    private final List<Row> rows = new ArrayList<>();
    private final Map<String, Integer> named = new HashMap<>();
    private final Map<String, Integer> texts = new LinkedHashMap<>();
    private boolean hasProblems;

    private Numbers(int base) {
        this.base = base;
    }

    /** Those of this run. */
    static Numbers ofThisRun() {
        return new Numbers(0);
    }

    /** Placeholders for the class in the file. */
    static Numbers kept(ClassReader file) {
        return new Numbers(unusedBase(file));
    }

    boolean areKept() {
        return base != 0;
    }

    /** The first of {@link #MOST} integers of which the class has none: it cannot have one of each such range. */
    private static int unusedBase(ClassReader file) {
        boolean[] isUsed = new boolean[MOST];
        for (int i = 1; i < file.getItemCount(); i++) {
            int at = file.getItem(i);
            if (at > 0 && file.readByte(at - 1) == INTEGER_TAG) {
                isUsed[file.readInt(at) >>> 16] = true;
            }
        }
        int range = 1 << 14; /* of large integers: small ones are not in constant pools */
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
        return areKept() ? add(new Row(SITE, method - base, line, text(type))) : Names.site(method, line, type);
    }

    int constant() {
        return areKept() ? add(new Row(CONSTANT, 0, 0, 0)) : Names.constant();
    }

    /** Reports a problem; a class that has one is not kept. */
    void problem(String text) {
        hasProblems = true;
        Names.problem(text);
    }

    boolean haveProblems() {
        return hasProblems;
    }

    /** No name has a dot in it. */
    private int name(int kind, String first, String second) {
        String key = kind + first + '.' + second;
        Integer number = named.get(key);
        if (number == null) {
            number = add(new Row(kind, text(first), text(second), 0));
            named.put(key, number);
        }
        return number;
    }

    private int add(Row row) {
        if (rows.size() == MOST) {
            throw new Exhausted();
        }
        rows.add(row);
        return base + rows.size() - 1;
    }

    private int text(String text) {
        Integer number = texts.putIfAbsent(text, texts.size());
        return number == null ? texts.size() - 1 : number;
    }

    /**
     * What is kept of the class that was {@code written} with placeholders and those answers: all that
     * {@link Cache#make} needs, in its form.
     */
    byte[] entry(byte[] written, Iterable<Hierarchy.Answer> answers) throws IOException {
        int[] places = places(ClassFile.reader(written));
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
        for (int i = 0; i < places.length; i++) {
            Row row = rows.get(i);
            writeInts(out, row.kind, row.first, row.second, row.third, places[i]);
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

    /** Where each placeholder is in the file; 0: nowhere. */
    private int[] places(ClassReader file) {
        int[] places = new int[rows.size()];
        for (int i = 1; i < file.getItemCount(); i++) {
            int at = file.getItem(i);
            if (at > 0 && file.readByte(at - 1) == INTEGER_TAG) {
                int row = file.readInt(at) - base;
                if (row >= 0 && row < places.length) {
                    places[row] = at;
                }
            }
        }
        return places;
    }
}
