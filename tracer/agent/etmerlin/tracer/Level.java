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

    static Level of(String name) {
        return valueOf(name.toUpperCase(java.util.Locale.ROOT));
    }
}
