/* SPDX-License-Identifier: MIT */
package etmerlin.tracer;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassTooLargeException;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodTooLargeException;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.JSRInlinerAdapter;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;

/**
 * Instruments a class. A method that would become too large for a class file, or would not verify, is
 * recorded in part or left alone, and a problem names it.
 *
 * <p>Where handlers are added, all frames are computed anew, since a collection may crash on inserted code
 * that they do not describe. Otherwise the frames of the file are kept, since nothing is inserted that
 * branches. They are also kept if the computed ones do not verify, which happens if classes that meet in a
 * frame have no files.
 */
final class ClassRewriter {
    private static final String TOO_LARGE = "too large when instrumented";
    private static final String INVALID = "does not verify when instrumented";

    /**
     * An instrumented class: its file; the numbers in it; what was found out about other classes; whether all stores of
     * the class are recorded; and whether another run may use the file, since nothing was left out.
     */
    record Result(byte[] file, Numbers numbers, Iterable<Hierarchy.Answer> answers, boolean isWhole,
            boolean mayBeKept) {}

    private final Level level;

    ClassRewriter(Level level) {
        this.level = level;
    }

    Result rewrite(Hierarchy hierarchy, ClassLoader loader, String name, byte[] file, Scope.Treatment treatment) {
        return new Rewriting(hierarchy, loader, name, file, treatment).run();
    }

    /** What keeps a method from being recorded to a larger extent. */
    private record Limit(Extent extent, String reason) {}

    /** One class. */
    private final class Rewriting {
        private final ClassLoader loader;
        private final Hierarchy hierarchy;
        private final String name;
        private final byte[] file;
        private final Scope.Treatment treatment;
        private final boolean hasFrames; /* the file declares those of all methods */
        private boolean keepsFrames;
        private boolean losesVariables; /* since frames are kept */
        private Numbers numbers;
        private boolean hasPlaceholders = true; /* in place of numbers */
        private final Map<String, Limit> limits = new TreeMap<>(); /* by the name and type of the method */
        private final Set<String> results = new HashSet<>(); /* the methods of which the result is enough */
        private boolean hasNewLimit;

        Rewriting(Hierarchy hierarchy, ClassLoader loader, String name, byte[] file, Scope.Treatment treatment) {
            this.loader = loader;
            this.hierarchy = hierarchy;
            this.name = name;
            this.file = file;
            this.treatment = treatment;
            hasFrames = (ClassFile.version(file) & 0xffff) > Opcodes.V1_6;
            keepsFrames = keepsFramesAtFirst();
        }

        private boolean keepsFramesAtFirst() {
            return treatment == Scope.Treatment.LIBRARY && !level.locals && hasFrames;
        }

        Result run() {
            ClassReader reader = ClassFile.reader(file);
            hierarchy.add(reader);
            byte[] written;
            do {
                hasNewLimit = false;
                written = write(reader);
            } while (hasNewLimit);
            boolean isWhole = report();
            ClassFile.withVersion(written, Math.max(ClassFile.version(written), ClassFile.version(file)));
            boolean mayBeKept = isEverythingRecorded() && !losesVariables && !numbers.haveProblems();
            return new Result(written, numbers, hierarchy.answers(), isWhole, mayBeKept);
        }

        /** Whether no limit of a method means that something is not recorded. */
        private boolean isEverythingRecorded() {
            for (Limit limit : limits.values()) {
                if (limit.extent.meaning != null) {
                    return false;
                }
            }
            return true;
        }

        /** The file; null: there is a new limit, and the class must be written once more. */
        private byte[] write(ClassReader reader) {
            numbers = hasPlaceholders ? Numbers.kept(reader) : Numbers.ofThisRun();
            ClassNode node = read(reader, keepsFrames);
            if (level != Level.ET3) {
                node.version = ClassFile.versionWithClasses(node);
            }
            int computed = keepsFrames ? ClassWriter.COMPUTE_MAXS : ClassWriter.COMPUTE_FRAMES;
            Writer writer = new Writer(hierarchy, hasPlaceholders ? reader : null, computed);
            List<String> rewritten = new ArrayList<>();
            try {
                rewriteMethods(node, rewritten);
                if (hasNewLimit) {
                    return null;
                }
                node.accept(writer);
                byte[] written = writer.toByteArray();
                if (isVerified(reader)) {
                    limitInvalid(new TypeChecker(hierarchy).failing(written));
                }
                return written;
            } catch (MethodTooLargeException e) {
                limitSize(List.of(e.getMethodName() + e.getDescriptor()));
            } catch (ClassTooLargeException | Numbers.Exhausted e) {
                limitSize(rewritten);
            }
            return null;
        }

        /**
         * Limits the methods to their results, where these are enough; or else tries numbers instead of placeholders,
         * which need more room than most numbers; then limits the methods further.
         */
        private void limitSize(List<String> methods) {
            if (!hasPlaceholders || areLimitedToResults(methods)) {
                limit(methods, TOO_LARGE);
                return;
            }
            hasPlaceholders = false;
            losesVariables = false;
            keepsFrames = keepsFramesAtFirst();
            limits.clear();
            hasNewLimit = true;
        }

        /**
         * Whether the virtual machine verifies the class. It trusts its own, and accessors that reflection generates.
         */
        private boolean isVerified(ClassReader reader) {
            return loader != null && !reader.getSuperName().startsWith("jdk/internal/reflect/");
        }

        /**
         * Rewrites the methods, and adds those of which something is recorded to {@code rewritten}, each with its type.
         */
        private void rewriteMethods(ClassNode node, List<String> rewritten) {
            for (MethodNode method : node.methods) {
                boolean hasCode = (method.access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) == 0;
                if (hasCode && Extent.isResult(name, method)) {
                    results.add(method.name + method.desc);
                }
                if (hasCode && wantsVariables(method) && !Lasting.canFollow(method)) {
                    limit(method.name + method.desc, TOO_LARGE);
                }
                Extent extent = extent(method.name + method.desc);
                if (hasCode && extent != Extent.NOTHING) {
                    rewrite(node, method, extent);
                    rewritten.add(method.name + method.desc);
                }
            }
        }

        private boolean wantsVariables(MethodNode method) {
            return extent(method.name + method.desc) == Extent.ALL && level == Level.STORES
                    && treatment == Scope.Treatment.APPLICATION;
        }

        /** Whether variables are recorded. That needs a branch, for which the kept frames of a file have no frame. */
        private boolean followsVariables(MethodNode method) throws AnalyzerException {
            boolean follows = wantsVariables(method);
            if (follows && keepsFrames) {
                losesVariables |= !new Lasting(name, method).isEmpty();
            }
            return follows && !keepsFrames;
        }

        private void rewrite(ClassNode node, MethodNode method, Extent extent) {
            boolean isPart = extent == Extent.STORES;
            Level most = isPart ? Level.STORES : level;
            Scope.Treatment part = isPart ? Scope.Treatment.LIBRARY : treatment;
            try {
                MethodRewriter rewriter = new MethodRewriter(
                        most, part, hierarchy, numbers, loader, node, method, followsVariables(method));
                if (extent == Extent.RESULT) {
                    rewriter.rewriteResult();
                } else {
                    rewriter.rewrite();
                }
                numbers.compute(method.instructions);
            } catch (AnalyzerException e) {
                limits.put(method.name + method.desc, new Limit(Extent.NOTHING, e.getMessage()));
                hasNewLimit = true;
            }
        }

        private Extent extent(String method) {
            Limit limit = limits.get(method);
            return limit == null ? Extent.ALL : limit.extent;
        }

        /** The extent to try after the present one. */
        private Extent smaller(String method) {
            Extent extent = extent(method);
            return extent == Extent.ALL && level != Level.ET3 && results.contains(method)
                    ? Extent.RESULT
                    : extent.smaller(level, treatment);
        }

        /** Whether all of the methods would be limited to their results. */
        private boolean areLimitedToResults(List<String> methods) {
            for (String method : methods) {
                if (smaller(method) != Extent.RESULT) {
                    return false;
                }
            }
            return true;
        }

        /** Tries the frames of the file, if otherwise more than variables would be lost; then limits the methods. */
        private void limitInvalid(List<String> methods) {
            if (hasFrames && !keepsFrames && losesMoreThanVariables(methods)) {
                keepsFrames = true;
                limits.clear();
                hasNewLimit = true;
                return;
            }
            limit(methods, INVALID);
        }

        /** Whether one of the methods, limited further, would lose more than variables. */
        private boolean losesMoreThanVariables(List<String> methods) {
            for (String method : methods) {
                if (smaller(method).compareTo(Extent.STORES) >= 0) {
                    return true;
                }
            }
            return false;
        }

        private void limit(List<String> methods, String reason) {
            for (String method : methods) {
                limit(method, reason);
            }
        }

        /** Limits the method further. One that is left alone and does not verify did not verify before. */
        private void limit(String method, String reason) {
            boolean isRecorded = extent(method) != Extent.NOTHING;
            if (isRecorded) {
                limits.put(method, new Limit(smaller(method), reason));
            }
            hasNewLimit |= isRecorded;
        }

        /** Reports what is missing; whether all stores of the class are recorded. */
        private boolean report() {
            boolean isWhole = true;
            for (Map.Entry<String, Limit> entry : limits.entrySet()) {
                Limit limit = entry.getValue();
                isWhole &= limit.extent != Extent.NOTHING;
                if (limit.extent.meaning != null) {
                    Names.problem("method " + name + "." + entry.getKey() + ": " + limit.reason + "; "
                            + limit.extent.meaning);
                }
            }
            if (losesVariables) {
                Names.problem("class " + name + ": its stack maps cannot be computed anew, as classes that it uses "
                        + "have no files; " + Extent.NO_VARIABLES.meaning);
            }
            return isWhole;
        }
    }

    /**
     * Reads the class. Subroutines of old compilers are expanded if frames are computed, which cannot describe them.
     */
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

    private static final class Writer extends ClassWriter {
        private final Hierarchy hierarchy;

        /**
         * Begins with the constant pool of {@code file}, unless that is null. When the virtual machine transforms a
         * class that is loaded, it compares the two pools, which is fast if equal entries have equal positions.
         */
        Writer(Hierarchy hierarchy, ClassReader file, int flags) {
            super(file, flags);
            this.hierarchy = hierarchy;
        }

        @Override
        protected String getCommonSuperClass(String one, String other) {
            return hierarchy.common(one, other);
        }
    }
}
