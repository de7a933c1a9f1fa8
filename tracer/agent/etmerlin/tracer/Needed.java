/* SPDX-License-Identifier: MIT */
package etmerlin.tracer;

import java.nio.charset.StandardCharsets;

/**
 * The classes of the JDK that instrumenting a class uses. Where classes come from the cache, the first one that does
 * not may come when the program loads a class, even one of these, which could not be loaded for it a second time.
 * So all of them are loaded, and initialized, before the program begins, as they are in a run without a cache.
 */
final class Needed {
    private static final char INITIALIZED = '+';

    /** Of packages that programs cannot set up, what was there before is taken, too: another collector may not have it. */
    private static final String[] PLAIN = {
        "java.lang.", "java.util.", "java.io.", "java.nio.", "jdk.internal.", "sun.nio.cs."
    };

    private final StringBuilder classes = new StringBuilder();

    /** Loads those of earlier runs; false: they are not known. */
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

    /** Adds one that may be needed, since it was there before classes were instrumented. */
    void addEarlier(Class<?> loaded) {
        for (String plain : PLAIN) {
            if (loaded.getName().startsWith(plain) && loaded.getModule() == Object.class.getModule()) {
                add(loaded);
            }
        }
    }

    /** Adds one that was loaded while others were instrumented. */
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
