/* SPDX-License-Identifier: MIT */
package etmerlin.tracer;

import java.io.IOException;
import java.io.InputStream;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;

/**
 * What the classes that one loader finds extend and declare, read from their files: while a class is being loaded, loading
 * another could deadlock, or end in a class that sees itself half there. Class loaders may take
 * locks of their own when they are asked for a file, so nothing is locked meanwhile.
 */
final class Hierarchy {
    /** A class as far as it matters here. */
    static final class Facts {
        String superclass;
        boolean isInterface;
        final Set<String> fields = new HashSet<>();
    }

    /** What can be asked, of two names. */
    enum Question { DECLARING, COMMON, FITS }

    /** What was asked and found out. */
    record Answer(Question question, String one, String other, String result) {}

    private static final String OBJECT = "java/lang/Object";
    private static final Facts NONE = new Facts(); /* of a class without a file */

    private final Hierarchies all;
    private final ClassLoader loader;
    private final Map<String, Facts> known;
    private final Map<String, Answer> answers = new LinkedHashMap<>();

    /** Of the classes {@code known} to {@code all}, those of the loader. */
    Hierarchy(Hierarchies all, ClassLoader loader, Map<String, Facts> known) {
        this.all = all;
        this.loader = loader;
        this.known = known;
    }

    /** Takes note of a class that is being loaded; it need not have a file. */
    void add(ClassReader reader) {
        known.put(reader.getClassName(), facts(reader));
    }

    private static Facts facts(ClassReader reader) {
        Facts facts = new Facts();
        facts.superclass = reader.getSuperName();
        facts.isInterface = (reader.getAccess() & Opcodes.ACC_INTERFACE) != 0;
        addFields(facts.fields, reader);
        return facts;
    }

    /** A visitor would go over the methods, too. */
    private static void addFields(Set<String> fields, ClassReader reader) {
        char[] buffer = new char[reader.getMaxStringLength()];
        int at = reader.header + 8 + 2 * reader.readUnsignedShort(reader.header + 6);
        int end = at + 2;
        for (int left = reader.readUnsignedShort(at); left > 0; left--) {
            fields.add(reader.readUTF8(end + 2, buffer));
            end = afterAttributes(reader, end + 6);
        }
    }

    /** Where the attributes end that are counted at {@code at}. */
    private static int afterAttributes(ClassReader reader, int at) {
        int end = at + 2;
        for (int left = reader.readUnsignedShort(at); left > 0; left--) {
            end += 6 + reader.readInt(end + 2);
        }
        return end;
    }

    /** Null: no more is known than the name. */
    private Facts of(String name) {
        if (loader != null && name.startsWith("java/")) {
            return all.of(null).of(name);
        }
        Facts facts = known.get(name);
        if (facts == null) {
            facts = read(name);
            known.putIfAbsent(name, facts);
        }
        return facts == NONE ? ofParents(name) : facts;
    }

    /** What has no file may have been defined by a loader above. */
    private Facts ofParents(String name) {
        for (ClassLoader above = loader; above != null; above = above.getParent()) {
            Facts facts = all.of(above).known.get(name);
            if (facts != null && facts != NONE) {
                return facts;
            }
        }
        return null;
    }

    private Facts read(String name) {
        ClassLoader from = loader == null ? ClassLoader.getPlatformClassLoader() : loader;
        try (InputStream file = from.getResourceAsStream(name + ".class")) {
            return file == null ? NONE : facts(ClassFile.reader(file.readAllBytes()));
        } catch (IOException | RuntimeException e) {
            return NONE;
        }
    }

    /** What has been asked so far, in this order. */
    Iterable<Answer> answers() {
        return answers.values();
    }

    /** No name has a dot in it. */
    private void note(Question question, String one, String other, String result) {
        answers.put(question.ordinal() + one + '.' + other, new Answer(question, one, other, result));
    }

    /** As the method of that name answers it, as text. */
    String answer(Question question, String one, String other) {
        return switch (question) {
            case DECLARING -> declaring(one, other);
            case COMMON -> common(one, other);
            case FITS -> String.valueOf(fits(one, other));
        };
    }

    /** The class that declares the field which {@code owner} names, itself or inherited. */
    String declaring(String owner, String field) {
        String found = findDeclaring(owner, field);
        note(Question.DECLARING, owner, field, found);
        return found;
    }

    /**
     * The nearest class that both extend, as the verifier sees it: an interface is an Object. Of a class
     * without a file no more is known.
     */
    String common(String one, String other) {
        String found = findCommon(one, other);
        note(Question.COMMON, one, other, found);
        return found;
    }

    /**
     * Whether the verifier lets an object of the class {@code name} be used as a {@code wanted}: any, as an
     * interface. Where a class has no file it may be so, but not for an Object, of which no more is known.
     */
    boolean fits(String name, String wanted) {
        if (name.equals(wanted) || wanted.equals(OBJECT)) {
            return true;
        }
        boolean fits = isAbove(wanted, name);
        note(Question.FITS, name, wanted, String.valueOf(fits));
        return fits;
    }

    private String findDeclaring(String owner, String field) {
        for (String name = owner; name != null; ) {
            Facts facts = of(name);
            if (facts == null) {
                break;
            }
            if (facts.fields.contains(field)) {
                return name;
            }
            name = facts.superclass;
        }
        return owner;
    }

    private String findCommon(String one, String other) {
        Set<String> above = new HashSet<>();
        for (String name = one; name != null; name = superclass(name)) {
            above.add(name);
        }
        for (String name = other; name != null; name = superclass(name)) {
            if (above.contains(name)) {
                return name;
            }
        }
        return OBJECT;
    }

    private String superclass(String name) {
        Facts facts = of(name);
        if (facts == null) {
            return name.equals(OBJECT) ? null : OBJECT;
        }
        return facts.isInterface ? OBJECT : facts.superclass;
    }

    private boolean isAbove(String wanted, String name) {
        Facts target = of(wanted);
        if (target == null ? !name.equals(OBJECT) : target.isInterface) {
            return true;
        }
        for (String above = name; !above.equals(OBJECT); ) {
            Facts facts = of(above);
            if (facts == null || above.equals(wanted)) {
                return true;
            }
            above = facts.isInterface ? OBJECT : facts.superclass;
        }
        return false;
    }
}
