/* SPDX-License-Identifier: MIT */
package etmerlin.tracer;

/** Numbers for names, from 1, and the tracer's settings. Both are kept by the native part. */
final class Names {
    private Names() {}

    /**
     * Binds the other native methods; comes before all of them. False: this program is not to be traced.
     */
    static native boolean bind();

    /**
     * Binds the native methods of the probes. The last two are {@link HeaderProbe} and {@link Header} if ids
     * are to be in headers; else null.
     */
    static native void probes(Class<?> probe, Class<?> headerProbe, Class<?> header);

    /** Whether ids are in headers. */
    static native boolean hasHeaders();

    /** Why they are not, although that is wanted. */
    static native void refuseHeaders(String reason);

    /** Exports what {@link Header} needs of the JDK to its module; false: it could not. */
    static native boolean open();

    /** Where the native part has what {@link Records} needs of it. */
    static native long shared();

    /** The number of a class by its internal name; of an array by its descriptor. */
    static native int type(String name);

    /** The number of a method. */
    static native int method(String owner, String name);

    /** The number of a field. */
    static native int field(String owner, String name);

    /** A new number for an allocating instruction in a method, at a line (0: not known). */
    static native int site(int method, int line, String type);

    /** A new number for a constant of a class. */
    static native int constant();

    /** What the command line says of {@code name}; null: nothing. */
    static native String setting(String name);

    /** A class with this number is about to be there. */
    static native void defined(int type);

    /** All stores of the class with this number are recorded from now on. */
    static native void instrumented(int type);

    /** Something that could not be instrumented: reported in the trace and at the end. */
    static native void problem(String text);

    /** Raises (1) or lowers (-1) the calling thread's switch: raised, it is not traced. */
    static native void suspend(int step);

    /** Whether that switch is raised. */
    static native boolean isSuspended();

    /**
     * Lets the module of a package of that loader read the one of {@link Probe}, as the virtual machine
     * does for classes that it offers to agents; false: it could not.
     */
    static native boolean connect(ClassLoader loader, String packageName);

    /**
     * The classes that are loaded; null: no memory. The method of Instrumentation that lists them
     * makes more local references than it announces, of which -Xcheck:jni warns.
     */
    static native Class<?>[] loaded();

    /**
     * Has the classes transformed; null: they are, else what kept the virtual machine from it. The method of
     * Instrumentation that does this makes more local references than it announces, too.
     */
    static native String retransform(Class<?>[] classes);

    /** Ends the virtual machine: the program cannot be traced, for that reason. */
    static native void refuse(String reason);

    /** A pattern of classes; unless {@link #meet} gets the number, a message at the end says that none matches. */
    static native int expect(String pattern);

    /** A class matches the pattern with this number. */
    static native void meet(int pattern);

    /** Tracing begins, or waits for its beginning. */
    static native void start();
}
