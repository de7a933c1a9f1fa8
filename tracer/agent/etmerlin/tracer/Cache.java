/* SPDX-License-Identifier: MIT */
package etmerlin.tracer;

/**
 * Instrumented classes, found by the file that each was made of: those of this run, and those that earlier runs with
 * the same tracer, JDK and settings have kept. {@link Numbers#entry} makes the entries.
 */
final class Cache {
    private Cache() {}

    /** Binds the other native methods. */
    static native void bind();

    /**
     * What {@link #need} was given, in this run or an earlier one. Null: it is not known, and nothing should be taken
     * from the cache.
     */
    static native byte[] needed();

    /**
     * Keeps the names of the classes that instrumenting needs: a run that takes classes from the cache loads them
     * first.
     */
    static native void need(byte[] classes);

    static native boolean isInitialized(Class<?> loaded);

    /** The entry of that file, made in such {@code circumstances}; 0: there is none. */
    static native long find(byte[] file, int circumstances);

    /**
     * The answers that an entry depends on, four texts each: the question, the two names asked about, the answer. Null:
     * no memory.
     */
    static native String[] answers(long entry);

    /** The class of an entry, with the numbers of this run; null: no memory. */
    static native byte[] make(long entry);

    /** The class of a new entry, which is kept for {@code file} unless that is null; null: no memory. */
    static native byte[] make(byte[] entry, byte[] file, int circumstances);
}
