/* SPDX-License-Identifier: MIT */
package etmerlin.tracer;

/** How much is recorded. */
enum Level {
    /** What the third generation of Elephant Tracks records. */
    ET3(false, false),
    /** All stores. */
    STORES(true, false),
    /** All stores, and what local variables hold. */
    EXACT(true, true);

    /** Whether libraries are instrumented, and constructors, array elements and exceptions. */
    final boolean libraries;
    /** Whether the loss of a local variable and all reads are recorded. */
    final boolean locals;

    Level(boolean libraries, boolean locals) {
        this.libraries = libraries;
        this.locals = locals;
    }

    /** The level of a name that the settings can have. */
    static Level of(String name) {
        for (Level level : values()) { /* valueOf makes the JDK prepare for reflection, before the program does */
            if (level.name().equalsIgnoreCase(name)) {
                return level;
            }
        }
        throw new IllegalArgumentException(name);
    }
}
