/* SPDX-License-Identifier: MIT */
package etmerlin.tracer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.ProtectionDomain;
import java.util.List;

/**
 * Instruments a class, or takes it from the cache. The result depends on the file of the class, on its loader, and on
 * what was found out about other classes. For classes of the JDK these answers are the same in every run, since the
 * cache has a file for each JDK; for others the questions are asked again.
 */
final class Instrumenter {
    private static final ClassLoader PLATFORM = ClassLoader.getPlatformClassLoader();

    private final Hierarchies hierarchies = new Hierarchies();
    private final ClassRewriter rewriter;
    private volatile boolean takesKept;

    Instrumenter(Level level) {
        rewriter = new ClassRewriter(level);
    }

    /** From now on, classes may be taken from the cache. */
    void takeKept() {
        takesKept = true;
    }

    /**
     * The instrumented class; null: no memory. It is kept if it is of the JDK, or if it is known where it comes from:
     * other classes are generated, and differ from run to run. The module and the domain are null if they are not
     * known.
     */
    byte[] instrument(Module module, ProtectionDomain domain, ClassLoader loader, String name, byte[] file,
            Scope.Treatment treatment) {
        boolean isOfJdk = module != null && module.isNamed() && (loader == null || loader == PLATFORM);
        boolean hasSource = isOfJdk || domain != null && domain.getCodeSource() != null;
        int circumstances = circumstances(isOfJdk, loader, treatment);
        long entry = !hasSource || !takesKept ? 0 : Cache.find(file, circumstances);
        if (entry != 0 && (isOfJdk || isStillSo(entry, loader, file))) {
            Names.instrumented(Names.type(name));
            return Cache.make(entry);
        }
        ClassRewriter.Result result = rewriter.rewrite(hierarchies.of(loader), loader, name, file, treatment);
        if (result.isWhole()) {
            Names.instrumented(Names.type(name));
        }
        if (!result.numbers().areKept()) {
            return result.file();
        }
        boolean isKept = hasSource && result.mayBeKept();
        return Cache.make(entry(result, isOfJdk), isKept ? file : null, circumstances);
    }

    private static int circumstances(boolean isOfJdk, ClassLoader loader, Scope.Treatment treatment) {
        int of = loader == null ? 0 : loader == PLATFORM ? 1 : 2;
        return (treatment.ordinal() * 3 + of) * 2 + (isOfJdk ? 1 : 0);
    }

    private static byte[] entry(ClassRewriter.Result result, boolean isOfJdk) {
        try {
            return result.numbers().entry(result.file(), isOfJdk ? List.of() : result.answers());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether all questions about other classes have the same answers as in the entry. */
    private boolean isStillSo(long entry, ClassLoader loader, byte[] file) {
        Hierarchy hierarchy = hierarchies.of(loader);
        hierarchy.add(ClassFile.reader(file));
        String[] texts = Cache.answers(entry);
        for (int i = 0; texts != null && i < texts.length; i += 4) {
            Hierarchy.Question question = Hierarchy.Question.of(texts[i]);
            if (!hierarchy.answer(question, texts[i + 1], texts[i + 2]).equals(texts[i + 3])) {
                return false;
            }
        }
        return texts != null;
    }
}
