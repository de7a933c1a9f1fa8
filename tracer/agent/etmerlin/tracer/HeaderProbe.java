/* SPDX-License-Identifier: MIT */
package etmerlin.tracer;

import jdk.internal.vm.annotation.DontInline;

/**
 * What instrumented code calls instead of {@link Probe} where ids are in the headers of objects. If a probe can read
 * the ids of its objects at once, only these are passed on; else the objects are, to the probe of the same name in
 * {@link Probe}. This class has all probes, so that loaders are asked for one class only.
 */
public final class HeaderProbe {
    /** As {@link Probe#clock}. */
    public static int clock;

    private HeaderProbe() {}

    /*
     * None of them is inlined into the methods that call it: calls cost less than to compile so much code, and to
     * have it in the caches.
     */

    @DontInline
    public static void enter(Object self, int method) {
        int id = Header.id(self);
        if (id != 0 || self == null) {
            if (!Records.enter(id, method, 0)) {
                enterKnown(id, method);
            }
        } else {
            Probe.enter(self, method);
        }
    }

    @DontInline
    public static void enterReading(Object self, int method, int type) {
        int id = Header.id(self);
        if (id != 0) {
            if (!Records.enter(id, method, type)) {
                enterReadingKnown(id, method, type);
            }
        } else {
            Probe.enterReading(self, method, type);
        }
    }

    @DontInline
    public static void get(Object self, int method, int type) {
        int id = Header.id(self);
        if (id != 0) {
            if (!Records.get(id, method, type)) {
                getKnown(id, method, type);
            }
        } else {
            Probe.get(self, method, type);
        }
    }

    @DontInline
    public static void construct(Object self, int method, int type) {
        int id = Header.id(self);
        if (id != 0) {
            if (!Records.enter(id, method, 0)) {
                enterKnown(id, method);
            }
        } else if (!Records.construct(self, method, type)) {
            Probe.construct(self, method, type);
        }
    }

    @DontInline
    public static void made(Object object, int type, int site) {
        int id = Header.id(object);
        if (id != 0) {
            if (!Records.made(site)) {
                madeKnown(id, site);
            }
        } else if (object == null || !Records.made(object, type, site)) {
            Probe.made(object, type, site);
        }
    }

    @DontInline
    public static void put(Object container, Object value, int field) {
        int in = Header.id(container);
        int id = Header.id(value);
        if (in != 0 && (id != 0 || value == null)) {
            if (!Records.store(in, id, field)) {
                putKnown(in, id, field);
            }
        } else {
            Probe.put(container, value, field);
        }
    }

    @DontInline
    public static void putStatic(Object value, int field) {
        int id = Header.id(value);
        if (id != 0 || value == null) {
            if (!Records.store(0, id, field)) {
                putKnown(0, id, field);
            }
        } else {
            Probe.putStatic(value, field);
        }
    }

    @DontInline
    public static void putStaticOf(Object value, int field, Class<?> owner) {
        int id = Header.id(value);
        if ((id != 0 || value == null) && Records.stays(owner)) {
            if (!Records.store(0, id, field)) {
                putKnown(0, id, field);
            }
        } else {
            Probe.putStaticOf(value, field, owner);
        }
    }

    @DontInline
    public static void stored(Object array, int index, Object value) {
        int in = Header.id(array);
        int id = Header.id(value);
        if (in != 0 && (id != 0 || value == null)) {
            if (!Records.storeElement(in, index, id)) {
                storedKnown(in, index, id);
            }
        } else {
            Probe.stored(array, index, value);
        }
    }

    @DontInline
    public static void read(Object object, int type) {
        int id = Header.id(object);
        if (id != 0) {
            if (!Records.read(id, type)) {
                readKnown(id, type);
            }
        } else if (object != null) {
            Probe.read(object, type);
        }
    }

    @DontInline
    public static void leave(int method) {
        if (!Records.leave(method)) {
            Probe.leave(method);
        }
    }

    @DontInline
    public static void before(int type, int site) {
        if (!Records.before(type, site)) {
            Probe.before(type, site);
        }
    }

    @DontInline
    public static void array(Object array, int type, int site) {
        if (!Records.array(array, type, site)) {
            Probe.array(array, type, site);
        }
    }

    /** An array of numbers that has an id has nothing to record. */
    @DontInline
    public static void copied(Object array, int from, int count) {
        if (array instanceof Object[] || Header.id(array) == 0 || !Records.isOpen()) {
            Probe.copied(array, from, count);
        }
    }

    @DontInline
    public static void constant(Object object, int constant, Class<?> owner) {
        if (!Records.isHeld(constant)) {
            Probe.constant(object, constant, owner);
        }
    }

    @DontInline
    public static void local(Object value, int variable) {
        int id = Header.id(value);
        if (id != 0 || value == null) {
            localKnown(id, variable);
        } else {
            Probe.local(value, variable);
        }
    }

    @DontInline
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

    public static native void unwound(Throwable exception, int method);

    public static native void threw(Throwable exception, int method);

    public static native void caught(Throwable exception, int method);

    public static native void arrays(Object array, int site);

    public static native void arrived(Object object, int site);

    public static native void linked(Object object, int site);

    public static native void instantiated(Object object, int site);

    public static native void shown(Object object);

    public static native void filled(Object container);

    public static native void filledStatics(Class<?> owner);

    public static native void putReferent(Object container, Object value, int field);

    public static native void held(Object object, Object caller);

    public static native void constants(Object object, Object caller);

    public static native void storedIn(Object array, int index);

    public static native void storedAt(Object container, long offset);

    public static native void invoked(Object method, Object target, Object arguments);

    public static native void linkedCopy(Object member, Object array, int from, int count);

    public static native void linkedSet(Object member, Object array, int index);

    public static native void linkedAt(Object unsafe, Object container, long offset);

    public static native void arguments(Object array, int constant, Class<?> owner);

    public static native void lost(int variable);

    public static native void keep(long variables);

    public static native void uncover(long variables, int method);

    public static native void keepCaught(long variables);

    public static native void push(int method);

    public static native void pop(int method);

    public static native void returned();
}
