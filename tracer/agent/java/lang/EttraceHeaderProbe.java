/* SPDX-License-Identifier: MIT */
package java.lang;

import jdk.internal.vm.annotation.DontInline;

/**
 * What instrumented code calls instead of {@link EttraceProbe} where ids are in the headers of objects. If a probe can
 * read the ids of its objects at once, only these are passed on; else the objects are, to the probe of the same name in
 * {@link EttraceProbe}. The other probes are those of that class.
 */
public final class EttraceHeaderProbe extends EttraceProbe {
    private static final int STRETCH = 256; /* elements */

    private EttraceHeaderProbe() {}

    /*
     * None of them is inlined into the methods that call it: calls cost less than to compile so much code, and to
     * have it in the caches.
     */

    @DontInline
    public static void enter(Object self, int method) {
        int id = EttraceHeader.id(self);
        if (id != 0 || self == null) {
            if (!EttraceRecords.enter(id, method, 0)) {
                enterKnown(id, method);
            }
        } else {
            EttraceProbe.enter(self, method);
        }
    }

    @DontInline
    public static void enterReading(Object self, int method, int type) {
        int id = EttraceHeader.id(self);
        if (id != 0) {
            if (!EttraceRecords.enter(id, method, type)) {
                enterReadingKnown(id, method, type);
            }
        } else {
            EttraceProbe.enterReading(self, method, type);
        }
    }

    @DontInline
    public static void get(Object self, int method, int type) {
        int id = EttraceHeader.id(self);
        if (id != 0) {
            if (!EttraceRecords.get(id, method, type)) {
                getKnown(id, method, type);
            }
        } else {
            EttraceProbe.get(self, method, type);
        }
    }

    @DontInline
    public static void construct(Object self, int method, int type) {
        int id = EttraceHeader.id(self);
        if (id != 0) {
            if (!EttraceRecords.enter(id, method, 0)) {
                enterKnown(id, method);
            }
        } else if (!EttraceRecords.construct(self, method, type)) {
            EttraceProbe.construct(self, method, type);
        }
    }

    @DontInline
    public static void made(Object object, int type, int site) {
        int id = EttraceHeader.id(object);
        if (id != 0) {
            if (!EttraceRecords.made(id, site)) {
                madeKnown(id, site);
            }
        } else if (object == null || !EttraceRecords.made(object, type, site)) {
            EttraceProbe.made(object, type, site);
        }
    }

    @DontInline
    public static void put(Object container, Object value, int field) {
        int in = EttraceHeader.id(container);
        int id = EttraceHeader.id(value);
        if (in != 0 && (id != 0 || value == null)) {
            if (!EttraceRecords.store(in, id, field)) {
                putKnown(in, id, field);
            }
        } else {
            EttraceProbe.put(container, value, field);
        }
    }

    @DontInline
    public static void putStatic(Object value, int field) {
        int id = EttraceHeader.id(value);
        if (id != 0 || value == null) {
            if (!EttraceRecords.store(0, id, field)) {
                putKnown(0, id, field);
            }
        } else {
            EttraceProbe.putStatic(value, field);
        }
    }

    @DontInline
    public static void putStaticOf(Object value, int field, Class<?> owner) {
        int id = EttraceHeader.id(value);
        if ((id != 0 || value == null) && EttraceRecords.stays(owner)) {
            if (!EttraceRecords.store(0, id, field)) {
                putKnown(0, id, field);
            }
        } else {
            EttraceProbe.putStaticOf(value, field, owner);
        }
    }

    @DontInline
    public static void stored(Object array, int index, Object value) {
        int in = EttraceHeader.id(array);
        int id = EttraceHeader.id(value);
        if (in != 0 && (id != 0 || value == null)) {
            if (!EttraceRecords.storeElement(in, index, id)) {
                storedKnown(in, index, id);
            }
        } else {
            EttraceProbe.stored(array, index, value);
        }
    }

    @DontInline
    public static void read(Object object, int type) {
        int id = EttraceHeader.id(object);
        if (id != 0) {
            if (!EttraceRecords.read(id, type)) {
                readKnown(id, type);
            }
        } else if (object != null) {
            EttraceProbe.read(object, type);
        }
    }

    @DontInline
    public static void leave(int method) {
        if (!EttraceRecords.leave(method)) {
            EttraceProbe.leave(method);
        }
    }

    @DontInline
    public static void before(int type, int site) {
        if (!EttraceRecords.before(type, site)) {
            EttraceProbe.before(type, site);
        }
    }

    @DontInline
    public static void array(Object array, int type, int site) {
        if (!EttraceRecords.array(array, type, site)) {
            EttraceProbe.array(array, type, site);
        }
    }

    /** An array of numbers that has an id has nothing to record. */
    @DontInline
    public static void copied(Object array, int from, int count) {
        int in = EttraceHeader.id(array);
        if (in != 0 && array instanceof Object[]) {
            copied((Object[]) array, in, from, from + count);
        } else if (in == 0 || !EttraceRecords.isOpen()) {
            EttraceProbe.copied(array, from, count);
        }
    }

    /**
     * Records elements as stores. From one on that this cannot be done for, a native probe records a stretch of them: it
     * waits for room, or finds ids elsewhere, or there is nothing to record any more.
     */
    private static void copied(Object[] array, int in, int from, int end) {
        int i = from;
        while (i < end) {
            Object value = array[i];
            int id = EttraceHeader.id(value);
            if ((id != 0 || value == null) && EttraceRecords.storeElement(in, i, id)) {
                i++;
            } else {
                int count = end - i < STRETCH ? end - i : STRETCH;
                EttraceProbe.copied(array, i, count);
                i += count;
            }
        }
    }

    @DontInline
    public static void constant(Object object, int constant, Class<?> owner) {
        if (!EttraceRecords.isHeld(constant)) {
            EttraceProbe.constant(object, constant, owner);
        }
    }

    @DontInline
    public static void local(Object value, int variable) {
        int id = EttraceHeader.id(value);
        if (id != 0 || value == null) {
            if (!EttraceRecords.local(id, variable)) {
                localKnown(id, variable);
            }
        } else {
            EttraceProbe.local(value, variable);
        }
    }

    @DontInline
    public static void lost(int variable) {
        if (!EttraceRecords.lost(variable)) {
            EttraceProbe.lost(variable);
        }
    }

    @DontInline
    public static void keep(long variables) {
        if (!EttraceRecords.keep(variables)) {
            EttraceProbe.keep(variables);
        }
    }

    @DontInline
    public static void push(int method) {
        if (!EttraceRecords.push(0, 0, 0, method)) {
            EttraceProbe.push(method);
        }
    }

    @DontInline
    public static void push(Object first, int method) {
        int id = EttraceHeader.id(first);
        if (id == 0 && first != null || !EttraceRecords.push(1, id, 0, method)) {
            EttraceProbe.push(first, method);
        }
    }

    @DontInline
    public static void push(Object first, Object second, int method) {
        int one = EttraceHeader.id(first);
        int two = EttraceHeader.id(second);
        if (one == 0 && first != null || two == 0 && second != null || !EttraceRecords.push(2, one, two, method)) {
            EttraceProbe.push(first, second, method);
        }
    }

    @DontInline
    public static void pop(int method) {
        if (!EttraceRecords.pop(method)) {
            EttraceProbe.pop(method);
        }
    }

    @DontInline
    public static void returned(Object value) {
        int id = EttraceHeader.id(value);
        if (id != 0) {
            if (!EttraceRecords.read(id, 0)) {
                readKnown(id, 0);
            }
        } else if (value != null || !EttraceRecords.isOpen()) {
            EttraceProbe.returned(value);
        }
    }

    /** Only a native probe records an X that waits. */
    @DontInline
    public static void returned() {
        if (!EttraceRecords.isOpen()) {
            EttraceProbe.returned();
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
}
