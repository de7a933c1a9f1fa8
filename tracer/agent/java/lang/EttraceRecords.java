/* SPDX-License-Identifier: MIT */
package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ForceInline;

/**
 * Writes records from Java into the ring of the thread, as {@code record} in tracer.h does. A method that would need
 * more than the memory at hand, such as room in the ring, returns false before it has changed anything. Then the native
 * probe does all of its work.
 *
 * <p>Nothing is allocated, and only methods are called that the compilers replace by code of their own. The interpreter
 * does call them, and may run out of stack there. So a record is published after everything else, and no call needs
 * more stack than the first ones.
 *
 * <p>Fences keep the compiler from moving reads of the program from before the stamp to after it, and its stores from
 * after the record to before it.
 */
final class EttraceRecords {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final long LOADER = UNSAFE.objectFieldOffset(Class.class, "classLoader");
    private static final Object SYSTEM = systemLoader();
    private static final long TID = UNSAFE.objectFieldOffset(Thread.class, "tid");

    /* The addresses that quick.c gives, in this order. */
    private static final long SHARED = shared();
    private static final long THREADS = UNSAFE.getLong(null, SHARED);
    private static final long STAMP = UNSAFE.getLong(null, SHARED + 8);
    private static final long ATTENTION = UNSAFE.getLong(null, SHARED + 16);
    private static final long SIZES = UNSAFE.getLong(null, SHARED + 24);
    private static final long CONSTANTS = UNSAFE.getLong(null, SHARED + 32);
    private static final long ALIGNMENT = UNSAFE.getLong(null, SHARED + 40);
    private static final long LAYOUTS = SHARED + 48;
    private static final long LENGTH = lengthOffset(); /* of arrays; 0: it is not known */

    /* As in quick.c; the last one as in agent.c. */
    private static final int MOST_THREADS = 1 << 22;
    private static final int MOST_TYPES = 1 << 22;
    private static final int MOST_CONSTANTS = 1 << 26;

    /* Offsets in struct ring. */
    private static final int NEXT = 0;
    private static final int LATEST = 16;
    private static final int WORDS = 24;
    private static final int WRITTEN = 64;
    private static final long POSITIONS = (1 << 16) - 1;

    /* Offsets in struct thread. */
    private static final int STORE_END = 0;
    private static final int CALL_END = 8;
    private static final int FRAMES = 32;
    private static final int FRAME_COUNT = 40;
    private static final int FRAME_CAPACITY = 48;
    private static final int FRAME_BYTES = 24;
    private static final int ALLOCATIONS = 56;
    private static final int ALLOCATION_COUNT = 64;
    private static final int ALLOCATION_CAPACITY = 72;
    private static final int NEXT_ID = 16;
    private static final int END_ID = 24;

    private static final long ELEMENT = 1_000_000;

    private EttraceRecords() {}

    /** The address of what the native part shares with this class. */
    private static native long shared();

    /**
     * The JDK's own loader of the class path. None of its classes, nor of the classes that they extend, is unloaded,
     * which is not known of another loader: for that, returns what is no loader.
     */
    private static Object systemLoader() {
        ClassLoader loader = ClassLoader.getSystemClassLoader();
        boolean isOwn = loader.getClass().getName().equals("jdk.internal.loader.ClassLoaders$AppClassLoader");
        return isOwn ? loader : new Object();
    }

    /** Must be called before any probe. */
    static void start() throws ReflectiveOperationException {
        layout('Z', "BOOLEAN");
        layout('B', "BYTE");
        layout('C', "CHAR");
        layout('S', "SHORT");
        layout('I', "INT");
        layout('F', "FLOAT");
        layout('J', "LONG");
        layout('D', "DOUBLE");
        layout('L', "OBJECT");
        layout('[', "OBJECT");
    }

    /** Reports how arrays of such elements are laid out. The native part compares sizes before it uses this. */
    private static void layout(char element, String name) throws ReflectiveOperationException {
        if (LENGTH != 0 && ALIGNMENT != 0) {
            int scale = constant("ARRAY_" + name + "_INDEX_SCALE");
            int base = constant("ARRAY_" + name + "_BASE_OFFSET");
            UNSAFE.putInt(null, LAYOUTS + 4L * (element - 'A'), base << 8 | Integer.numberOfTrailingZeros(scale));
        }
    }

    /** The value of a constant of Unsafe, whose type differs between versions of the JDK. */
    private static int constant(String name) throws ReflectiveOperationException {
        return ((Number) Unsafe.class.getField(name).get(null)).intValue();
    }

    /** The offset of the length of arrays; 0: it is not known. */
    private static long lengthOffset() {
        byte[] bytes = new byte[0x12345];
        Object[] objects = new Object[0x123];
        for (long offset = 8; offset <= 16; offset += 4) {
            if (UNSAFE.getInt(bytes, offset) == bytes.length && UNSAFE.getInt(objects, offset) == objects.length) {
                return offset;
            }
        }
        return 0;
    }

    /**
     * The address of the calling thread's row in the table of threads: its ring and its structure, 0 if it has none.
     */
    @ForceInline
    private static long place() {
        long tid = UNSAFE.getLong(Thread.currentThread(), TID);
        return Long.compareUnsigned(tid, MOST_THREADS) < 0 ? THREADS + (tid << 4) : THREADS;
    }

    @ForceInline
    private static long ring(long place) {
        return UNSAFE.getLong(null, place);
    }

    @ForceInline
    private static long thread(long place) {
        return UNSAFE.getLong(null, place + 8);
    }

    /** The number of the next word of the ring. */
    @ForceInline
    private static long next(long ring) {
        return UNSAFE.getLong(null, ring + NEXT);
    }

    /** Whether the thread may write by its limit at {@code end}. */
    @ForceInline
    private static boolean hasRoom(long place, int end) {
        long ring = ring(place);
        return ring != 0 && next(ring) < UNSAFE.getLong(null, thread(place) + end);
    }

    /**
     * The ring of the thread, which has a stamp for the next records, if the thread may write by its limit at
     * {@code end}; 0: it may not, or must look at something first.
     */
    @ForceInline
    private static long begin(long place, int end) {
        return hasRoom(place, end) && isStamped(ring(place)) ? ring(place) : 0;
    }

    /** Whether the ring has a stamp for the next records, as of merger_stamp_for. */
    @ForceInline
    private static boolean isStamped(long ring) {
        UNSAFE.loadFence();
        return UNSAFE.getLong(null, ring + LATEST) == UNSAFE.getLong(null, STAMP) || takeStamp(ring);
    }

    /**
     * Takes a new stamp, and then looks whether something wants attention. What wants attention later takes a stamp
     * itself, so the thread looks again before its next record. A stamp that no record gets does no harm.
     */
    private static boolean takeStamp(long ring) {
        long latest = UNSAFE.getAndAddLong(null, STAMP, 1) + 1;
        if (UNSAFE.getInt(null, ATTENTION) != 0) {
            return false;
        }
        UNSAFE.putLong(null, ring + LATEST, latest);
        return true;
    }

    /** Begins a record at the word with that number, and returns the address of its next field. */
    @ForceInline
    private static long put(long ring, long next, char letter, int words, long first) {
        long at = UNSAFE.getLong(null, ring + WORDS) + ((next & POSITIONS) << 3);
        UNSAFE.putLong(null, at, UNSAFE.getLong(null, ring + LATEST));
        UNSAFE.putLong(null, at + 8, letter | words << 8 | first << 16);
        return at + 16;
    }

    @ForceInline
    private static void publish(long ring, long next) {
        UNSAFE.putLong(null, ring + NEXT, next);
        UNSAFE.storeFence();
        UNSAFE.putLong(null, ring + WRITTEN, next);
        UNSAFE.storeFence();
    }

    @ForceInline
    private static void read(long ring, long next, int object, int type) {
        UNSAFE.putLong(null, put(ring, next, 'W', 3, type), object);
    }

    @ForceInline
    private static void enter(long ring, long next, int self, int method) {
        UNSAFE.putLong(null, put(ring, next, 'M', 3, method), self);
    }

    /** Writes a frame. It counts only when FRAME_COUNT is increased. */
    @ForceInline
    private static void open(long thread, long count, int self, int method) {
        long frame = UNSAFE.getLong(null, thread + FRAMES) + count * FRAME_BYTES;
        UNSAFE.putLong(null, frame, method);
        UNSAFE.putLong(null, frame + 8, self);
        UNSAFE.putLong(null, frame + 16, UNSAFE.getLong(null, thread + ALLOCATION_COUNT));
    }

    /** Records U. */
    @ForceInline
    static boolean store(int container, int value, long field) {
        long ring = begin(place(), STORE_END);
        if (ring == 0) {
            return false;
        }
        long next = next(ring);
        long at = put(ring, next, 'U', 4, field);
        UNSAFE.putLong(null, at, container);
        UNSAFE.putLong(null, at + 8, value);
        publish(ring, next + 4);
        return true;
    }

    /** Records U of an element. */
    @ForceInline
    static boolean storeElement(int array, int index, int value) {
        return store(array, value, ELEMENT + index);
    }

    /** Records W. */
    @ForceInline
    static boolean read(int object, int type) {
        long ring = begin(place(), STORE_END);
        if (ring == 0) {
            return false;
        }
        long next = next(ring);
        read(ring, next, object, type);
        publish(ring, next + 3);
        return true;
    }

    /** Records M, and W, too, if {@code type} is not 0. */
    @ForceInline
    static boolean enter(int self, int method, int type) {
        long place = place();
        long ring = begin(place, CALL_END);
        if (ring == 0) {
            return false;
        }
        long next = next(ring);
        long thread = thread(place);
        long count = UNSAFE.getLong(null, thread + FRAME_COUNT);
        if (count >= UNSAFE.getLong(null, thread + FRAME_CAPACITY)) {
            return false;
        }
        enter(ring, next, self, method);
        next += 3;
        if (type != 0) {
            read(ring, next, self, type);
            next += 3;
        }
        open(thread, count, self, method);
        UNSAFE.putLong(null, thread + FRAME_COUNT, count + 1);
        publish(ring, next);
        return true;
    }

    /** Records M, W and E. */
    @ForceInline
    static boolean get(int self, int method, int type) {
        long ring = begin(place(), CALL_END);
        if (ring == 0) {
            return false;
        }
        long next = next(ring);
        enter(ring, next, self, method);
        read(ring, next + 3, self, type);
        put(ring, next + 6, 'E', 2, method);
        publish(ring, next + 8);
        return true;
    }

    /** Records E. */
    @ForceInline
    static boolean leave(int method) {
        long place = place();
        long ring = begin(place, CALL_END);
        if (ring == 0) {
            return false;
        }
        long next = next(ring);
        long thread = thread(place);
        long count = UNSAFE.getLong(null, thread + FRAME_COUNT) - 1;
        if (count < 0
                || UNSAFE.getLong(null, UNSAFE.getLong(null, thread + FRAMES) + count * FRAME_BYTES) != method) {
            return false;
        }
        put(ring, next, 'E', 2, method);
        UNSAFE.putLong(null, thread + FRAME_COUNT, count);
        publish(ring, next + 2);
        return true;
    }

    /** Notes that an allocation begins. */
    @ForceInline
    static boolean before(int type, int site) {
        long place = place();
        long thread = thread(place);
        if (thread == 0 || UNSAFE.getLong(null, thread + CALL_END) == 0) {
            return false;
        }
        long count = UNSAFE.getLong(null, thread + ALLOCATION_COUNT);
        if (count >= UNSAFE.getLong(null, thread + ALLOCATION_CAPACITY)) {
            return false;
        }
        long allocation = UNSAFE.getLong(null, thread + ALLOCATIONS) + (count << 3);
        UNSAFE.putInt(null, allocation, type);
        UNSAFE.putInt(null, allocation + 4, site);
        UNSAFE.putLong(null, thread + ALLOCATION_COUNT, count + 1);
        return true;
    }

    /** Notes that an allocation ends, if it is the latest one. */
    @ForceInline
    static boolean made(int site) {
        long thread = thread(place());
        if (thread == 0 || UNSAFE.getLong(null, thread + CALL_END) == 0) {
            return false;
        }
        long count = UNSAFE.getLong(null, thread + ALLOCATION_COUNT) - 1;
        if (count < 0
                || UNSAFE.getInt(null, UNSAFE.getLong(null, thread + ALLOCATIONS) + (count << 3) + 4) != site) {
            return false;
        }
        UNSAFE.putLong(null, thread + ALLOCATION_COUNT, count);
        return true;
    }

    /** The size of objects of exactly that type, or how its arrays are laid out; 0: it is not known. */
    @ForceInline
    private static int size(int type) {
        return UNSAFE.getInt(null, SIZES + ((long) type << 2));
    }

    /**
     * The address of the latest allocation, if it is of that type, whose size is known, and an id is at hand; else 0.
     */
    @ForceInline
    private static long begun(long thread, int type) {
        long begun = UNSAFE.getLong(null, thread + ALLOCATION_COUNT) - 1;
        long allocation = UNSAFE.getLong(null, thread + ALLOCATIONS) + (begun << 3);
        boolean fits = begun >= 0 && UNSAFE.getInt(null, allocation) == type && size(type) != 0
                && UNSAFE.getLong(null, thread + NEXT_ID) < UNSAFE.getLong(null, thread + END_ID);
        return fits ? allocation : 0;
    }

    /** Records N and M of an object of exactly that class, which no record has named yet. */
    @ForceInline
    static boolean construct(Object self, int method, int type) {
        long place = place();
        long ring = begin(place, CALL_END);
        if (ring == 0 || type >= MOST_TYPES) {
            return false;
        }
        long next = next(ring);
        long thread = thread(place);
        long count = UNSAFE.getLong(null, thread + FRAME_COUNT);
        if (count == 0 || count >= UNSAFE.getLong(null, thread + FRAME_CAPACITY)) {
            return false; /* 0: the snapshot may have met the object, which a method older than that allocates */
        }
        long allocation = begun(thread, type);
        if (allocation == 0) {
            return false;
        }
        long id = UNSAFE.getLong(null, thread + NEXT_ID);
        int size = size(type);
        born(ring, next, 'N', type, id, size, UNSAFE.getInt(null, allocation + 4), 0);
        enter(ring, next + 6, (int) id, method);
        open(thread, count, (int) id, method);
        if (!EttraceHeader.give(self, (int) id)) {
            return false;
        }
        UNSAFE.putLong(null, thread + NEXT_ID, id + 1);
        UNSAFE.putInt(null, allocation, 0); /* no other object is that of this allocation */
        UNSAFE.putLong(null, thread + FRAME_COUNT, count + 1);
        publish(ring, next + 9);
        return true;
    }

    /**
     * Records N of an object of exactly that class, which no record has named although its constructor has returned.
     * The allocation ends.
     */
    @ForceInline
    static boolean made(Object object, int type, int site) {
        long place = place();
        long ring = begin(place, CALL_END);
        if (ring == 0 || type >= MOST_TYPES) {
            return false;
        }
        long next = next(ring);
        long thread = thread(place);
        long allocation = begun(thread, type);
        if (allocation == 0 || UNSAFE.getLong(null, thread + FRAME_COUNT) == 0
                || UNSAFE.getInt(null, allocation + 4) != site) {
            return false;
        }
        long id = UNSAFE.getLong(null, thread + NEXT_ID);
        int size = size(type);
        born(ring, next, 'N', type, id, size, site, 0);
        if (!EttraceHeader.give(object, (int) id)) {
            return false;
        }
        UNSAFE.putLong(null, thread + NEXT_ID, id + 1);
        UNSAFE.putLong(null, thread + ALLOCATION_COUNT, UNSAFE.getLong(null, thread + ALLOCATION_COUNT) - 1);
        publish(ring, next + 6);
        return true;
    }

    @ForceInline
    private static void born(long ring, long next, char letter, int type, long id, long size, int site,
            int length) {
        long at = put(ring, next, letter, 6, type);
        UNSAFE.putLong(null, at, id);
        UNSAFE.putLong(null, at + 8, size);
        UNSAFE.putLong(null, at + 16, site);
        UNSAFE.putLong(null, at + 24, length);
    }

    /** Records A of a new array. */
    @ForceInline
    static boolean array(Object array, int type, int site) {
        long place = place();
        long ring = begin(place, CALL_END);
        if (ring == 0 || type >= MOST_TYPES) {
            return false;
        }
        long next = next(ring);
        long thread = thread(place);
        int layout = size(type);
        long id = UNSAFE.getLong(null, thread + NEXT_ID);
        if (layout == 0 || id >= UNSAFE.getLong(null, thread + END_ID)) {
            return false;
        }
        int length = UNSAFE.getInt(array, LENGTH);
        long size = (layout >>> 8) + ((long) length << (layout & 0xff));
        born(ring, next, 'A', type, id, size + ALIGNMENT - 1 & -ALIGNMENT, site, length);
        if (!EttraceHeader.give(array, (int) id)) {
            return false;
        }
        UNSAFE.putLong(null, thread + NEXT_ID, id + 1);
        publish(ring, next + 6);
        return true;
    }

    /** Whether the thread may write records by itself now. */
    @ForceInline
    static boolean isOpen() {
        return hasRoom(place(), STORE_END);
    }

    /** Whether the class is one of the class path: neither it nor a class that it extends is ever unloaded. */
    @ForceInline
    static boolean stays(Class<?> owner) {
        return UNSAFE.getReference(owner, LOADER) == SYSTEM && !owner.isHidden();
    }

    /** Whether the constant has already been recorded. */
    @ForceInline
    static boolean isHeld(int constant) {
        return constant < MOST_CONSTANTS && UNSAFE.getByte(null, CONSTANTS + constant) != 0;
    }
}
