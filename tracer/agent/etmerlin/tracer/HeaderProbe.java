/* SPDX-License-Identifier: MIT */
package etmerlin.tracer;

/**
 * What instrumented code calls instead of {@link Probe} where ids are in the headers of objects. Probes that
 * can read the ids of their objects hand on these alone; where one cannot be read at once, the probe of the
 * same name takes the objects and finds it. All probes are here, so that loaders are asked for one class.
 */
public final class HeaderProbe {
    /** As {@link Probe#clock}. */
    public static int clock;

    private HeaderProbe() {}

    public static void enter(Object self, int method) {
        int id = Header.id(self);
        if (id != 0 || self == null) {
            enterKnown(id, method);
        } else {
            Probe.enter(self, method);
        }
    }

    public static void enterReading(Object self, int method, int type) {
        int id = Header.id(self);
        if (id != 0) {
            enterReadingKnown(id, method, type);
        } else {
            Probe.enterReading(self, method, type);
        }
    }

    public static void get(Object self, int method, int type) {
        int id = Header.id(self);
        if (id != 0) {
            getKnown(id, method, type);
        } else {
            Probe.get(self, method, type);
        }
    }

    public static void construct(Object self, int method, int type) {
        int id = Header.id(self);
        if (id != 0) {
            enterKnown(id, method);
        } else {
            Probe.construct(self, method, type);
        }
    }

    public static void made(Object object, int type, int site) {
        int id = Header.id(object);
        if (id != 0) {
            madeKnown(id, site);
        } else {
            Probe.made(object, type, site);
        }
    }

    public static void put(Object container, Object value, int field) {
        int in = Header.id(container);
        int id = Header.id(value);
        if (in != 0 && (id != 0 || value == null)) {
            putKnown(in, id, field);
        } else {
            Probe.put(container, value, field);
        }
    }

    public static void putStatic(Object value, int field) {
        int id = Header.id(value);
        if (id != 0 || value == null) {
            putKnown(0, id, field);
        } else {
            Probe.putStatic(value, field);
        }
    }

    public static void stored(Object array, int index, Object value) {
        int in = Header.id(array);
        int id = Header.id(value);
        if (in != 0 && (id != 0 || value == null)) {
            storedKnown(in, index, id);
        } else {
            Probe.stored(array, index, value);
        }
    }

    public static void read(Object object, int type) {
        int id = Header.id(object);
        if (id != 0) {
            readKnown(id, type);
        } else {
            Probe.read(object, type);
        }
    }

    public static void local(Object value, int variable) {
        int id = Header.id(value);
        if (id != 0 || value == null) {
            localKnown(id, variable);
        } else {
            Probe.local(value, variable);
        }
    }

    public static void returned(Object value) {
        int id = Header.id(value);
        if (id != 0) {
            readKnown(id, 0);
        } else {
            Probe.returned(value);
        }
    }

    // With ids in place of objects

    private static native void enterKnown(int self, int method);

    private static native void enterReadingKnown(int self, int method, int type);

    private static native void getKnown(int self, int method, int type);

    private static native void madeKnown(int object, int site);

    private static native void putKnown(int container, int value, int field);

    private static native void storedKnown(int array, int index, int value);

    private static native void readKnown(int object, int type);

    private static native void localKnown(int value, int variable);

    // As in Probe

    public static native void leave(int method);

    public static native void unwound(Throwable exception, int method);

    public static native void threw(Throwable exception, int method);

    public static native void caught(Throwable exception, int method);

    public static native void before(int type, int site);

    public static native void array(Object array, int type, int site);

    public static native void arrays(Object array, int dimensions, int site);

    public static native void arrived(Object object, int site);

    public static native void putReferent(Object container, Object value, int field);

    public static native void held(Object object, Object caller);

    public static native void constants(Object object, Object caller);

    public static native void putStaticOf(Object value, int field, Class<?> owner);

    public static native void copied(Object array, int from, int count);

    public static native void storedIn(Object array, int index);

    public static native void storedAt(Object container, long offset);

    public static native void invoked(Object method, Object target, Object arguments);

    public static native void linkedCopy(Object member, Object array, int from, int count);

    public static native void linkedSet(Object member, Object array, int index);

    public static native void linkedAt(Object unsafe, Object container, long offset);

    public static native void constant(Object object, int constant, Class<?> owner);

    public static native void lost(int variable);

    public static native void keep(long variables);

    public static native void uncover(long variables, int method);

    public static native void keepCaught(long variables);

    public static native void push(int method);

    public static native void pop(int method);

    public static native void returned();
}
