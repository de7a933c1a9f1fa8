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
        /** What it stores and allocates: without it, what its objects hold would seem dead. */
        LIBRARY,
        /** All its methods. */
        APPLICATION
    }

    /** Classes of the JDK that are left alone: the virtual machine or a probe relies on them. */
    private static final String[] UNTOUCHED = {
        "java/lang/Object", "java/lang/instrument/",
        "java/lang/VirtualThread", "java/lang/ThreadBuilders", "java/lang/ScopedValue",
        "jdk/internal/misc/Unsafe", "sun/misc/Unsafe", "jdk/internal/vm/", "jdk/internal/org/objectweb/",
        "jdk/internal/event/", "jdk/internal/module/SystemModules", "jdk/internal/jimage/", "jdk/jfr/", "sun/instrument/",
        "jdk/internal/classfile/", "java/lang/classfile/",
    };

    private static final ClassLoader PLATFORM = ClassLoader.getPlatformClassLoader();

    private final List<Pattern> included;
    private final List<Pattern> excluded;
    private final boolean libraries;

    Scope(String include, String exclude, boolean libraries) {
        included = patterns(include);
        excluded = patterns(exclude);
        this.libraries = libraries;
    }

    private static List<Pattern> patterns(String text) {
        List<Pattern> list = new ArrayList<>();
        if (text != null) {
            for (String part : text.split(",")) {
                list.add(pattern(part.replace('.', '/')));
            }
        }
        return list;
    }

    /** In a pattern, a star stands for any characters. */
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
            return libraries && !beginsWithAny(name, UNTOUCHED)
                    ? Treatment.LIBRARY
                    : Treatment.NONE;
        }
        if (wanted(name)) {
            return Treatment.APPLICATION;
        }
        return libraries ? Treatment.LIBRARY : Treatment.NONE;
    }

    private boolean wanted(String name) {
        return (included.isEmpty() || matchesAny(name, included)) && !matchesAny(name, excluded);
    }

    private static boolean beginsWithAny(String name, String[] prefixes) {
        for (String prefix : prefixes) {
            if (name.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }

    private static boolean matchesAny(String name, List<Pattern> patterns) {
        for (Pattern pattern : patterns) {
            if (pattern.matcher(name).matches()) {
                return true;
            }
        }
        return false;
    }
}
