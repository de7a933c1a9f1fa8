/* SPDX-License-Identifier: MIT */
package etmerlin.tracer;

/** Numbers for names, from 1, and the tracer's settings, both of which the native part has; and other calls of it. */
final class Names {
    private Names() {}

    /**
     * Binds the other native methods; must be called before them. False: this program is not to be traced.
     */
    static native boolean bind();

    /** Defines the class in that file of the archive as one of the JDK, in the boot loader; false: there is none. */
    static native boolean define(String file);

    /** Binds the native methods of the probes, whose classes are defined; with ids in headers, two more of them. */
    static native void probes(boolean hasHeaders);

    /** Whether ids are in headers. */
    static native boolean hasHeaders();

    /** Reports why ids are not in headers, although that is wanted. */
    static native void refuseHeaders(String reason);

    /** Why ids cannot be in headers in this virtual machine, after the class for them is defined; null: they can. */
    static native String obstacle();

    /** The number of a class, by its internal name, or of an array, by its descriptor; 0: no memory, or too many. */
    static native int type(String name);

    /** The number of a method; 0: no memory. */
    static native int method(String owner, String name);

    /** The number of a field; 0: no memory. */
    static native int field(String owner, String name);

    /** A new number for an allocating instruction in a method, at a line (0: not known). */
    static native int site(int method, int line, String type);

    /** A new number for a constant of a class. */
    static native int constant();

    /** The value of the setting {@code name}; null: it has none. */
    static native String setting(String name);

    /** A class with this number is about to be defined. */
    static native void defined(int type);

    /** All stores of the class with this number are recorded from now on. */
    static native void instrumented(int type);

    /** Reports what could not be instrumented, in the trace and at the end of the program. */
    static native void problem(String text);

    /** Adds {@code step}, 1 or -1, to the calling thread's count; while that is not 0, the thread is not traced. */
    static native void suspend(int step);

    /** Whether the trace has a use of each object when a variable loses it (level exact): no frame lasts beyond it. */
    static native boolean showsLosses();

    /** Whether the calling thread is not traced now. */
    static native boolean isSuspended();

    /** A number that refers to the object weakly, until {@link #forget}; 0: no memory. */
    static native long refer(Object object);

    /** Whether the number refers to this object; null: to one that is gone. */
    static native boolean refersTo(long reference, Object object);

    /** Releases a number of {@link #refer}. */
    static native void forget(long reference);

    /** The classes that are loaded; null: no memory. */
    static native Class<?>[] loaded();

    /** Whether the virtual machine can transform the class. */
    static native boolean isModifiable(Class<?> loaded);

    /** From now on, {@link Agent} is called for each class that is defined or transformed; false: it cannot be. */
    static native boolean offer();

    /** Has the virtual machine transform the classes. Returns null, or the name of the error. */
    static native String retransform(Class<?>[] classes);

    /** Reports the reason for which the program cannot be traced, and ends the virtual machine. */
    static native void refuse(String reason);

    /**
     * A number for a pattern of classes, which is reported at the end unless {@link #meet} gets the number; -1: no
     * memory, and it is not reported.
     */
    static native int expect(String pattern);

    /** A class matches the pattern with this number. */
    static native void meet(int pattern);

    /** Tracing begins, or waits for its beginning. */
    static native void start();
}
