/* SPDX-License-Identifier: MIT */
package etmerlin.tracer;

import java.nio.charset.StandardCharsets;

/**
 * The classes of the JDK that are needed to instrument a class. If classes come from the cache, the first one to be
 * instrumented may be one that the program loads, or even one of the needed classes, which would then be needed while
 * it is being loaded. So all of them are loaded and initialized before the program begins, as in a run without a cache.
 */
final class Needed {
    private static final char INITIALIZED = '+';

    /**
     * Packages of which classes that were loaded earlier are taken, too: with another collector they may not be.
     * Programs cannot change how classes of these packages are initialized.
     */
    private static final String[] PLAIN = {
        "java.lang.", "java.util.", "java.io.", "java.nio.", "jdk.internal.", "sun.nio.cs."
    };

    private final StringBuilder classes = new StringBuilder();

    /** Loads the needed classes, as an earlier run has found them; false: none has. */
    static boolean load() {
        byte[] known = Cache.needed();
        if (known == null) {
            return false;
        }
        for (String name : new String(known, StandardCharsets.UTF_8).split("\n")) {
            boolean isInitialized = name.indexOf(INITIALIZED) == 0;
            try {
                Class.forName(isInitialized ? name.substring(1) : name, isInitialized, null);
            } catch (ClassNotFoundException | LinkageError e) {
                continue; /* what needs it will meet the same failure */
            }
        }
        return true;
    }

    /** Adds a class that was loaded before classes were instrumented, if it may be needed. */
    void addEarlier(Class<?> loaded) {
        for (String plain : PLAIN) {
            if (loaded.getName().startsWith(plain) && loaded.getModule() == Object.class.getModule()) {
                add(loaded);
            }
        }
    }

    /** Adds a class that was loaded while others were instrumented. */
    void add(Class<?> loaded) {
        if (loaded.getClassLoader() == null && !loaded.isArray() && !loaded.isHidden()) {
            classes.append(Cache.isInitialized(loaded) ? String.valueOf(INITIALIZED) : "");
            classes.append(loaded.getName()).append('\n');
        }
    }

    void keep() {
        Cache.need(classes.toString().getBytes(StandardCharsets.UTF_8));
    }
}
