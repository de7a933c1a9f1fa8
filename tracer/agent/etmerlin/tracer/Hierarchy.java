/* SPDX-License-Identifier: MIT */
package etmerlin.tracer;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.security.AccessController;
import java.security.PrivilegedActionException;
import java.security.PrivilegedExceptionAction;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;

/**
 * What the classes that one loader finds extend and declare. This is read from their files: to load a class while
 * another is being loaded could deadlock, or use a class that is not complete. Class loaders may take locks when they
 * are asked for a file, so no lock is held then.
 */
final class Hierarchy {
    /** What is known of a class. */
    static final class Facts {
        String superclass;
        boolean isInterface;
        final Set<String> fields = new HashSet<>();
    }

    /** The questions about two names; {@link #answer}. */
    enum Question {
        DECLARING, COMMON, FITS;

        /** As {@code valueOf}, but without reflection. */
        static Question of(String name) {
            for (Question question : values()) {
                if (question.name().equals(name)) {
                    return question;
                }
            }
            throw new IllegalArgumentException(name);
        }
    }

    /** A question, its two names, and the answer. */
    record Answer(Question question, String one, String other, String result) {}

    private static final String OBJECT = "java/lang/Object";
    private static final Facts NONE = new Facts(); /* of a class without a file */

    private final Hierarchies all;
    private final ClassLoader loader;
    private final Map<String, Facts> known;
    private final Map<String, Answer> answers = new LinkedHashMap<>();

    /** The hierarchy of the loader; {@code known} are the facts that {@code all} keeps of its classes. */
    Hierarchy(Hierarchies all, ClassLoader loader, Map<String, Facts> known) {
        this.all = all;
        this.loader = loader;
        this.known = known;
    }

    /** Adds a class that is being loaded; its loader need not have a file of it. */
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

    /** Adds the fields, as {@code NAME.TYPE}. A visitor of ASM would read the methods, too, and take longer. */
    private static void addFields(Set<String> fields, ClassReader reader) {
        char[] buffer = new char[reader.getMaxStringLength()];
        int at = reader.header + 8 + 2 * reader.readUnsignedShort(reader.header + 6);
        int end = at + 2;
        for (int left = reader.readUnsignedShort(at); left > 0; left--) {
            fields.add(reader.readUTF8(end + 2, buffer) + '.' + reader.readUTF8(end + 4, buffer));
            end = afterAttributes(reader, end + 6);
        }
    }

    /** The offset after the attributes, whose number is at {@code at}. */
    private static int afterAttributes(ClassReader reader, int at) {
        int end = at + 2;
        for (int left = reader.readUnsignedShort(at); left > 0; left--) {
            end += 6 + reader.readInt(end + 2);
        }
        return end;
    }

    /** The facts of a class; null: only its name is known. */
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

    /** The facts of a class without a file, which a parent of the loader may have defined; null: they are unknown. */
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
        try {
            byte[] file = readPrivileged(name);
            return file == null ? NONE : facts(ClassFile.reader(file));
        } catch (PrivilegedActionException | RuntimeException e) {
            return NONE;
        }
    }

    /**
     * As {@link #readFile}. The program's code, which the tracer has interrupted, is not asked for its rights: a security
     * manager would need its policy for that, whose classes may be those that are being loaded.
     */
    @SuppressWarnings("removal")
    private byte[] readPrivileged(String name) throws PrivilegedActionException {
        return AccessController.doPrivileged(new PrivilegedExceptionAction<byte[]>() {
            @Override
            public byte[] run() throws IOException {
                return readFile(name);
            }
        });
    }

    /** The file of a class; null: there is none. */
    private byte[] readFile(String name) throws IOException {
        if (JdkFiles.has(loader)) {
            return JdkFiles.read(loader, name);
        }
        ClassLoader from = loader == null ? ClassLoader.getPlatformClassLoader() : loader;
        byte[] contents = from.getClass() == URLClassLoader.class ? readFound(from.getResource(name + ".class")) : null;
        if (contents != null) {
            return contents;
        }
        try (InputStream file = from.getResourceAsStream(name + ".class")) {
            return file == null ? null : file.readAllBytes();
        }
    }

    /** A file that a loader has found; null: there is none, or it cannot be read without the loader. */
    private static byte[] readFound(URL file) {
        return file == null ? null : JdkFiles.read(file);
    }

    /** The questions so far and their answers, in the order in which they were asked. */
    Iterable<Answer> answers() {
        return answers.values();
    }

    /** Keeps an answer. Names have no dots, so the key is unambiguous. */
    private void note(Question question, String one, String other, String result) {
        answers.put(question.ordinal() + one + '.' + other, new Answer(question, one, other, result));
    }

    /** The answer of the method that has the name of the question, as text; it is not noted. */
    String answer(Question question, String one, String other) {
        return switch (question) {
            case DECLARING -> findDeclaring(one, other);
            case COMMON -> findCommon(one, other);
            case FITS -> String.valueOf(isAbove(other, one));
        };
    }

    /**
     * The class that declares the field, {@code NAME.TYPE}: {@code owner}, or one that it extends; empty if that is
     * not known. A class may have two fields of one name and different types.
     */
    String declaring(String owner, String field) {
        String found = findDeclaring(owner, field);
        note(Question.DECLARING, owner, field, found);
        return found;
    }

    /**
     * The nearest class that both extend, by the rules of the verifier: an interface is an Object, and so is what a
     * class without a file extends.
     */
    String common(String one, String other) {
        String found = findCommon(one, other);
        note(Question.COMMON, one, other, found);
        return found;
    }

    /**
     * Whether the verifier lets an object of the class {@code name} be used as a {@code wanted}. It lets any object be
     * used as an interface. If a class has no file the answer is yes, except for an Object used as such a class.
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
                return "";
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
