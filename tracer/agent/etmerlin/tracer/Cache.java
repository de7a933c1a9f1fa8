/* SPDX-License-Identifier: MIT */
package etmerlin.tracer;

/**
 * Instrumented classes, each by the file that it was made of: those of this run, and where the native part has a file
 * of them, of earlier runs with the same tracer, JDK and settings. An entry is what {@link Numbers#entry} has made.
 */
final class Cache {
    private Cache() {}

    /** Binds the other native methods. */
    static native void bind();

    /**
     * What {@link #need} was given: by this run, or an earlier one. Null: it is not known, and nothing should be taken
     * from the cache.
     */
    static native byte[] needed();

    /** Keeps what a run that takes classes from the cache needs, since instrumenting others may begin at any time. */
    static native void need(byte[] classes);

    static native boolean isInitialized(Class<?> loaded);

    /** The entry of that file, made in such {@code circumstances}; 0: there is none. */
    static native long find(byte[] file, int circumstances);

    /** The answers of an entry, four texts each: the question, the two names asked about, the answer. Null: no memory. */
    static native String[] answers(long entry);

    /** The class of an entry, with the numbers of this run; null: no memory. */
    static native byte[] make(long entry);

    /** The same of a new entry, which is kept for that file, if there is one. */
    static native byte[] make(byte[] entry, byte[] file, int circumstances);
}
