/* SPDX-License-Identifier: MIT */
package etmerlin.tracer;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Which classes are instrumented, and how much. */
final class Scope {
    enum Treatment {
        /** Not at all. */
        NONE,
        /** Its stores and allocations: without these, what its objects hold would seem dead. */
        LIBRARY,
        /** Its stores and allocations, and all its methods. */
        APPLICATION
    }

    /** Classes of the JDK that are left alone, since the virtual machine or a probe relies on them. */
    private static final String[] UNTOUCHED = {
        "java/lang/Object", Probes.PREFIX, "java/lang/instrument/",
        "java/lang/VirtualThread", "java/lang/ScopedValue",
        "jdk/internal/misc/Unsafe", "jdk/internal/vm/", "jdk/internal/org/objectweb/",
        "jdk/internal/event/", "jdk/internal/module/SystemModules", "jdk/jfr/", "sun/instrument/",
        "jdk/internal/classfile/", "java/lang/classfile/",
    };

    /** Exceptions from the list above: classes that hold threads, and what belongs to a block of code. */
    private static final String[] CONTAINERS = {
        "jdk/internal/vm/ThreadContainer", "jdk/internal/vm/SharedThreadContainer", "jdk/internal/vm/StackableScope",
    };

    private static final ClassLoader PLATFORM = ClassLoader.getPlatformClassLoader();

    /** A pattern of classes, which reports its first match. */
    private static final class Wish {
        private final Pattern pattern;
        private final int number;
        private volatile boolean isMet;

        Wish(String text) {
            pattern = pattern(text.replace('.', '/'));
            number = Names.expect(text);
        }

        boolean matches(String name) {
            boolean matches = pattern.matcher(name).matches();
            if (matches && !isMet) {
                isMet = true;
                Names.meet(number);
            }
            return matches;
        }
    }

    private final List<Wish> included;
    private final List<Wish> excluded;
    private final boolean libraries;

    Scope(String include, String exclude, boolean libraries) {
        included = wishes(include);
        excluded = wishes(exclude);
        this.libraries = libraries;
    }

    private static List<Wish> wishes(String text) {
        List<Wish> list = new ArrayList<>();
        if (text != null) {
            for (String part : text.split(",")) {
                list.add(new Wish(part));
            }
        }
        return list;
    }

    /** The expression of a pattern, in which a star stands for any characters. */
    private static Pattern pattern(String text) {
        StringBuilder expression = new StringBuilder();
        for (String part : text.split("\\*", -1)) {
            expression.append(expression.length() == 0 ? "" : ".*").append(Pattern.quote(part));
        }
        return Pattern.compile(expression.toString());
    }

    Treatment of(ClassLoader loader, String name) {
        if (name.startsWith(Agent.OWN)) {
            return Treatment.NONE;
        }
        if (loader == null || loader == PLATFORM || name.startsWith("java/")) {
            return libraries && (!beginsWithAny(name, UNTOUCHED) || beginsWithAny(name, CONTAINERS))
                    ? Treatment.LIBRARY
                    : Treatment.NONE;
        }
        if (wanted(name)) {
            return Treatment.APPLICATION;
        }
        return libraries ? Treatment.LIBRARY : Treatment.NONE;
    }

    /**
     * Whether a class may be unloaded: any class of the program, since it may be hidden, and those that the JDK makes
     * for method handles.
     */
    static boolean mayGo(ClassLoader loader, String name) {
        return loader != null && loader != PLATFORM || name.startsWith("java/lang/invoke/LambdaForm$");
    }

    private boolean wanted(String name) {
        boolean isIncluded = matchesAny(name, included);
        boolean isExcluded = matchesAny(name, excluded);
        return (included.isEmpty() || isIncluded) && !isExcluded;
    }

    private static boolean beginsWithAny(String name, String[] prefixes) {
        for (String prefix : prefixes) {
            if (name.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }

    /** Tries all patterns, even after a match, since each reports whether it matches anything. */
    private static boolean matchesAny(String name, List<Wish> wishes) {
        boolean matches = false;
        for (Wish wish : wishes) {
            matches |= wish.matches(name);
        }
        return matches;
    }
}
