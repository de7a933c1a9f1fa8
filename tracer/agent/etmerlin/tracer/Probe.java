/* SPDX-License-Identifier: MIT */
package etmerlin.tracer;

/**
 * What instrumented code calls. All of it is native, so that a probe runs no Java code that is
 * itself instrumented, and a probe that the trace does not want returns at once. The class is in
 * the bootstrap class loader: each class of the program sees it.
 *
 * <p>Numbers are those that {@link Names} gives. A probe that records a store or a read stands
 * after it in the code: where the instruction throws, nothing is recorded.
 */
public final class Probe {
    /** Goes on now and then, and always while a method lasts long; set by the native part. */
    public static int clock;

    private Probe() {}

    /** M: a method begins; in a constructor this comes when the superclass is done. */
    public static native void enter(Object self, int method);

    /** M and W: a method begins with a read of a field of its object, declared by {@code type}. */
    public static native void enterReading(Object self, int method, int type);

    /** M, W and E: so does a method that returns what it reads and does nothing else. */
    public static native void get(Object self, int method, int type);

    /** M of a constructor: {@code self} may have been allocated just now, as a {@code type}. */
    public static native void construct(Object self, int method, int type);

    /** E: the method returns. */
    public static native void leave(int method);

    /** X: an exception leaves the method. */
    public static native void unwound(Throwable exception, int method);

    /** T: the method is about to throw. */
    public static native void threw(Throwable exception, int method);

    /** H: the method has caught it. */
    public static native void caught(Throwable exception, int method);

    /** A constructor is about to run on a new object of the class {@code type}. */
    public static native void before(int type, int site);

    /** N: the constructor is done; null: nobody has the object any more. */
    public static native void made(Object object, int type, int site);

    /** A: a new array. */
    public static native void array(Object array, int type, int site);

    /** A: a new array of arrays, to the depth {@code dimensions}. */
    public static native void arrays(Object array, int dimensions, int site);

    /** An object that came from elsewhere (a copy, a lambda): N or A, and U of what is in it. */
    public static native void arrived(Object object, int site);

    /** U: a field was stored. */
    public static native void put(Object container, Object value, int field);

    /** As {@link #put} of the referent of a reference: only a soft one holds it. */
    public static native void putReferent(Object container, Object value, int field);

    /** U: the virtual machine keeps the object, as long as the class that has asked for it is there. */
    public static native void held(Object object, Object caller);

    /** The object is what a class has as constants for a call, or an array of that. */
    public static native void constants(Object object, Object caller);

    /** U: a static field was stored. */
    public static native void putStatic(Object value, int field);

    /** As {@link #putStatic} of the class or one it extends, which may be unloaded. */
    public static native void putStaticOf(Object value, int field, Class<?> owner);

    /** U: an element was stored. */
    public static native void stored(Object array, int index, Object value);

    /** U: elements were copied into an array. */
    public static native void copied(Object array, int from, int count);

    /** U: an element was stored, if it is a reference. */
    public static native void storedIn(Object array, int index);

    /** U: a reference was stored by its offset; which one the tracer finds out. */
    public static native void storedAt(Object container, long offset);

    /** U: the method was called by reflection, and may be one that stores. */
    public static native void invoked(Object method, Object target, Object arguments);

    /** As {@link #copied}, if the member that was called by its handle is what copies arrays. */
    public static native void linkedCopy(Object member, Object array, int from, int count);

    /** As {@link #storedIn}, if the member that was called by its handle is what stores elements. */
    public static native void linkedSet(Object member, Object array, int index);

    /** As {@link #storedAt}, if the object is what stores by offsets. */
    public static native void linkedAt(Object unsafe, Object container, long offset);

    /** W: an object was read. */
    public static native void read(Object object, int type);

    /** U: a constant of the class was used; it holds it from now on. Null: a class that stays. */
    public static native void constant(Object object, int constant, Class<?> owner);

    /** Level "exact": a local variable holds this reference from now on. */
    public static native void local(Object value, int variable);

    /** Level "exact": a local variable holds no reference any more. */
    public static native void lost(int variable);

    /** Level "exact": only these of the first 64 variables still hold references. */
    public static native void keep(long variables);

    /** As {@link #keep}, of the innermost frame of the method, where an exception has come to it. */
    public static native void uncover(long variables, int method);

    /** As {@link #keep}, before {@link #caught}. */
    public static native void keepCaught(long variables);

    /** Level "exact": a frame of library code, which has no M. */
    public static native void push(int method);

    /** Level "exact": the end of such a frame. */
    public static native void pop(int method);

    /** The value that a call has returned is on the stack; the frame of the callee is gone. */
    public static native void returned(Object value);

    /** As {@link #returned}, where there is no reference. */
    public static native void returned();
}
