/* SPDX-License-Identifier: MIT */
package java.lang;

/**
 * The methods that instrumented code calls. All of them are native, so a probe runs no Java code that is
 * itself instrumented, and a probe that has nothing to record returns at once.
 *
 * <p>A class loader need ask others only for classes of packages {@code java.*}; many that isolate plugins ask for no
 * more. So this class and the others that instrumented code uses are in such a package, which all modules read, too. The
 * agent defines them in the bootstrap loader when it begins. No JDK has classes of these names.
 *
 * <p>Numbers are those that the agent's Names gives. A probe that records a store or a read comes after the
 * instruction, so nothing is recorded if the instruction throws.
 */
public class EttraceProbe {
    /** Advanced by the native part from time to time, so that a method that lasts long sees a change. */
    public static int clock;

    EttraceProbe() {}

    /** M: a method begins; in a constructor, after that of the superclass has returned. */
    public static native void enter(Object self, int method);

    /** M and W: a method begins with a read of a field of its object, declared by {@code type}. */
    public static native void enterReading(Object self, int method, int type);

    /** M, W and E: a method that only reads such a field and returns it. */
    public static native void get(Object self, int method, int type);

    /** M of a constructor of the class {@code type}: {@code self} may have been allocated just now. */
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

    /** N: the constructor has returned; null: the object cannot be reached any more. */
    public static native void made(Object object, int type, int site);

    /** A: a new array. */
    public static native void array(Object array, int type, int site);

    /** A: a new array of arrays, and those in it. */
    public static native void arrays(Object array, int site);

    /** N or A, and U of what is in it: an object that code without probes may have made, such as a copy or a lambda. */
    public static native void arrived(Object object, int site);

    /** As {@link #arrived}, for what a call site returns, which need not be new. */
    public static native void linked(Object object, int site);

    /**
     * As {@link #arrived}, for an object that a method handle allocates. A lambda is left to the code that makes it, but
     * for the level exact, where it gets no site.
     */
    public static native void instantiated(Object object, int site);

    /** U: a field was stored. */
    public static native void put(Object container, Object value, int field);

    /** N, and U of all fields that are not recorded yet: a constructor has stored some before a probe could get it. */
    public static native void shown(Object object);

    /** U of all fields or elements: some were stored, and it is not known which. */
    public static native void filled(Object container);

    /** U of all static fields of {@code owner} and of the classes that it extends: one was stored. */
    public static native void filledStatics(Class<?> owner);

    /** F, and for a soft reference U: the field was stored that has the referent of a reference object. */
    public static native void putReferent(Object container, Object value, int field);

    /**
     * K: the reference object refers to nothing any more, if {@code isCleared} is not 0. {@code cause}: 1: the collector
     * has cleared it, 2: the program does.
     */
    public static native void cleared(Object reference, int isCleared, int cause);

    /** U: the virtual machine keeps the object until the class {@code caller} is unloaded. */
    public static native void held(Object object, Object caller);

    /** U: the object, or each element of the array, is a constant that {@code caller} has for a call. */
    public static native void constants(Object object, Object caller);

    /** U: a static field was stored. */
    public static native void putStatic(Object value, int field);

    /** As {@link #putStatic}, for a class that may be unloaded: {@code owner}, or one that it extends. */
    public static native void putStaticOf(Object value, int field, Class<?> owner);

    /** U: an element was stored. */
    public static native void stored(Object array, int index, Object value);

    /** U: elements were copied into an array. */
    public static native void copied(Object array, int from, int count);

    /** U: an element was stored; records nothing if the array is not one of references. */
    public static native void storedIn(Object array, int index);

    /** U: a reference was stored by its offset; the tracer finds out which field or element that is. */
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

    /** U: a constant of a class was used, which holds it from now on. Null: the class is never unloaded. */
    public static native void constant(Object object, int constant, Class<?> owner);

    /** As {@link #constant}, for each string in an array of constants, and in the arrays within it. */
    public static native void table(Object array, int constant, Class<?> owner);

    /** As {@link #constant}, for the arguments of a method {@code main}, which the launcher holds if it calls it. */
    public static native void arguments(Object array, int constant, Class<?> owner);

    /** Level "exact": a local variable holds this reference from now on. */
    public static native void local(Object value, int variable);

    /** Level "exact": a local variable holds no reference any more. */
    public static native void lost(int variable);

    /** Level "exact": only these of the first 64 variables still hold references. */
    public static native void keep(long variables);

    /** As {@link #keep}, where the innermost frame of the method handles an exception. */
    public static native void uncover(long variables, int method);

    /** As {@link #keep}, before {@link #caught}. */
    public static native void keepCaught(long variables);

    /** Level "exact": a frame of library code begins, which has no M. */
    public static native void push(int method);

    /** As {@link #push(int)}, where its first variable holds this reference. */
    public static native void push(Object first, int method);

    /** As {@link #push(int)}, where its first two variables hold these references. */
    public static native void push(Object first, Object second, int method);

    /** Level "exact": the end of such a frame. */
    public static native void pop(int method);

    /** Level "exact": a call has returned this value; the frame of the callee is gone. */
    public static native void returned(Object value);

    /** As {@link #returned(Object)}, for a call that returns no reference. */
    public static native void returned();
}
