/* SPDX-License-Identifier: MIT */
package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ForceInline;

/**
 * Writes records from Java into the ring of the thread, as {@code record} in tracer.h does. A method that would need
 * more than the memory at hand, such as room in the ring, returns false before it has changed anything. Then the native
 * probe does all of its work.
 *
 * <p>Nothing is allocated, and only methods are called that the compilers replace by code of their own, of classes that
 * have no probes. The interpreter does call them, and may run out of stack there. So a record is published after
 * everything else, and no call needs more stack than the first ones.
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
    private static final boolean IS_EXACT = UNSAFE.getLong(null, SHARED + 48) != 0;
    private static final boolean LEAVES_OUT = UNSAFE.getLong(null, SHARED + 56) != 0;
    private static final long LAYOUTS = SHARED + 64;
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
    private static final int VARIABLES = 80;
    private static final int VARIABLE_COUNT = 88;
    private static final int VARIABLE_CAPACITY = 96;

    /* The same of its latest uses. */
    private static final int SEGMENT = 144;
    private static final int END = 152;
    private static final int SAVED = 160;
    private static final int USED_STAMP = 168;
    private static final int SLOTS = 176;
    private static final int LAST_SLOT = 127;

    private static final long ELEMENT = 1_000_000;
    private static final long LOW = 0xFFFF_FFFFL;

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
        return (tid & -MOST_THREADS) == 0 ? THREADS + (tid << 4) : THREADS;
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

    /** Shows all records before the word with that number, as {@code merger_show} in merge.h does. */
    @ForceInline
    private static void publish(long ring, long next) {
        UNSAFE.putLong(null, ring + NEXT, next);
        UNSAFE.storeFence();
        UNSAFE.putLong(null, ring + WRITTEN, next);
        UNSAFE.storeFence();
        long latest = UNSAFE.getLong(null, STAMP);
        if (latest != UNSAFE.getLong(null, ring + LATEST)) {
            UNSAFE.compareAndSetLong(null, STAMP, latest, latest + 1);
        }
    }

    @ForceInline
    private static void read(long ring, long next, long object, int type) {
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
        UNSAFE.putLong(null, frame, method & LOW);
        UNSAFE.putLong(null, frame + 8, self);
        long variables = IS_EXACT ? UNSAFE.getLong(null, thread + VARIABLE_COUNT) << Integer.SIZE : 0;
        UNSAFE.putLong(null, frame + 16, UNSAFE.getLong(null, thread + ALLOCATION_COUNT) | variables);
    }

    /**
     * Level "exact": records W of the object, unless that says nothing new, as {@code record_read} in tracer.h does. 0:
     * there is none. False: nothing is recorded. An id that a variable holds may be too large for a header.
     */
    @ForceInline
    private static boolean use(long place, long object, int type) {
        if (object == 0) {
            return true;
        }
        if (!hasRoom(place, STORE_END)) {
            return false;
        }
        long ring = ring(place);
        long thread = thread(place);
        long slot = thread + SLOTS + ((object & LAST_SLOT) << 4);
        long segment = UNSAFE.getLong(null, thread + SEGMENT);
        long stamp = UNSAFE.getLong(null, thread + USED_STAMP);
        UNSAFE.loadFence();
        boolean goesOn = next(ring) == UNSAFE.getLong(null, thread + END) && stamp == UNSAFE.getLong(null, STAMP);
        if (LEAVES_OUT && goesOn && UNSAFE.getLong(null, slot) == object
                && UNSAFE.getLong(null, slot + 8) == segment) {
            UNSAFE.putLong(null, thread + SAVED, UNSAFE.getLong(null, thread + SAVED) + 3);
            return true;
        }
        if (!isStamped(ring)) {
            return false;
        }
        goesOn &= stamp == UNSAFE.getLong(null, ring + LATEST); /* another thread may have come between */
        long next = next(ring);
        read(ring, next, object, type);
        name(ring, thread, slot, object, goesOn ? segment : segment + 1, next + 3);
        publish(ring, next + 3);
        return true;
    }

    /** Notes a use of the object in that segment; {@code end}: of its record. */
    @ForceInline
    private static void name(long ring, long thread, long slot, long object, long segment, long end) {
        UNSAFE.putLong(null, thread + USED_STAMP, UNSAFE.getLong(null, ring + LATEST));
        UNSAFE.putLong(null, thread + SEGMENT, segment);
        UNSAFE.putLong(null, thread + END, end);
        UNSAFE.putLong(null, slot, object);
        UNSAFE.putLong(null, slot + 8, segment);
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
        if (IS_EXACT) {
            return use(place(), object, type);
        }
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

    /** The frame of the method, if that is the innermost one; else 0. */
    @ForceInline
    private static long innermost(long thread, int method) {
        long count = UNSAFE.getLong(null, thread + FRAME_COUNT) - 1;
        long frame = UNSAFE.getLong(null, thread + FRAMES) + count * FRAME_BYTES;
        return count >= 0 && UNSAFE.getLong(null, frame) == (method & LOW) ? frame : 0;
    }

    /** Records E. */
    @ForceInline
    static boolean leave(int method) {
        long place = place();
        if (!hasRoom(place, CALL_END)) {
            return false;
        }
        long thread = thread(place);
        long frame = innermost(thread, method);
        if (frame == 0 || IS_EXACT && !drop(place, frame)) {
            return false;
        }
        long ring = begin(place, CALL_END);
        if (ring == 0) {
            return false;
        }
        long next = next(ring);
        put(ring, next, 'E', 2, method);
        UNSAFE.putLong(null, thread + FRAME_COUNT, UNSAFE.getLong(null, thread + FRAME_COUNT) - 1);
        publish(ring, next + 2);
        return true;
    }

    // Level "exact". A method that returns false may have done a part; the native probe does the rest.

    /** Removes the variables of the innermost frame, the last one first, and records what they held. */
    @ForceInline
    private static boolean drop(long place, long frame) {
        long thread = thread(place);
        long variables = UNSAFE.getLong(null, thread + VARIABLES);
        long from = UNSAFE.getInt(null, frame + 20) & LOW;
        for (long i = UNSAFE.getLong(null, thread + VARIABLE_COUNT) - 1; i >= from; i--) {
            if (!use(place, UNSAFE.getLong(null, variables + (i << 3)), 0)) {
                return false;
            }
            UNSAFE.putLong(null, thread + VARIABLE_COUNT, i);
        }
        return true;
    }

    /** Opens a frame that has no M. Its first {@code held} variables, at most 2, hold these objects. */
    @ForceInline
    static boolean push(int held, int first, int second, int method) {
        long place = place();
        if (!hasRoom(place, CALL_END)) {
            return false;
        }
        long thread = thread(place);
        long count = UNSAFE.getLong(null, thread + FRAME_COUNT);
        long variables = UNSAFE.getLong(null, thread + VARIABLE_COUNT);
        if (count >= UNSAFE.getLong(null, thread + FRAME_CAPACITY)
                || variables + held > UNSAFE.getLong(null, thread + VARIABLE_CAPACITY)) {
            return false;
        }
        open(thread, count, 0, method);
        long at = UNSAFE.getLong(null, thread + VARIABLES) + (variables << 3);
        if (held > 0) {
            UNSAFE.putLong(null, at, first);
        }
        if (held > 1) {
            UNSAFE.putLong(null, at + 8, second);
        }
        UNSAFE.putLong(null, thread + VARIABLE_COUNT, variables + held);
        UNSAFE.putLong(null, thread + FRAME_COUNT, count + 1);
        return true;
    }

    /** Closes such a frame. */
    @ForceInline
    static boolean pop(int method) {
        long place = place();
        if (!hasRoom(place, CALL_END)) {
            return false;
        }
        long thread = thread(place);
        long frame = innermost(thread, method);
        if (frame == 0 || !drop(place, frame)) {
            return false;
        }
        UNSAFE.putLong(null, thread + FRAME_COUNT, UNSAFE.getLong(null, thread + FRAME_COUNT) - 1);
        return true;
    }

    /** The number among the variables of the thread that the first one of the innermost frame has; -1: no frame. */
    @ForceInline
    private static long firstVariable(long thread) {
        long count = UNSAFE.getLong(null, thread + FRAME_COUNT);
        long frame = UNSAFE.getLong(null, thread + FRAMES) + (count - 1) * FRAME_BYTES;
        return count > 0 ? UNSAFE.getInt(null, frame + 20) & LOW : -1;
    }

    /** The variable holds the object from now on. */
    @ForceInline
    static boolean local(int object, int number) {
        long place = place();
        if (!hasRoom(place, STORE_END)) {
            return false;
        }
        long thread = thread(place);
        long first = firstVariable(thread);
        long variable = first + number;
        if (first < 0 || variable >= UNSAFE.getLong(null, thread + VARIABLE_CAPACITY)) {
            return false;
        }
        long variables = UNSAFE.getLong(null, thread + VARIABLES);
        long at = variables + (variable << 3);
        long count = UNSAFE.getLong(null, thread + VARIABLE_COUNT);
        if (variable < count) {
            long before = UNSAFE.getLong(null, at);
            if (before != object && !use(place, before, 0)) {
                return false;
            }
            UNSAFE.putLong(null, at, object);
            return true;
        }
        for (long other = variables + (count << 3); other < at; other += Long.BYTES) {
            UNSAFE.putLong(null, other, 0);
        }
        UNSAFE.putLong(null, at, object);
        UNSAFE.putLong(null, thread + VARIABLE_COUNT, variable + 1);
        return true;
    }

    /** The variable loses its object. */
    @ForceInline
    static boolean lost(int number) {
        return lose(1L, number);
    }

    /** The first 64 variables lose their objects, but those whose bit is 1. */
    @ForceInline
    static boolean keep(long held) {
        return lose(~held, 0);
    }

    /** The variables from {@code number} on whose bits are 1 lose their objects. */
    @ForceInline
    private static boolean lose(long lost, int number) {
        long place = place();
        if (!hasRoom(place, STORE_END)) {
            return false;
        }
        long thread = thread(place);
        long first = firstVariable(thread);
        if (first < 0) {
            return false;
        }
        long variables = UNSAFE.getLong(null, thread + VARIABLES);
        long end = variables + (UNSAFE.getLong(null, thread + VARIABLE_COUNT) << 3);
        long at = variables + (first + number << 3);
        for (long rest = lost; rest != 0 && at < end; rest >>>= 1, at += Long.BYTES) {
            if ((rest & 1) != 0) {
                if (!use(place, UNSAFE.getLong(null, at), 0)) {
                    return false;
                }
                UNSAFE.putLong(null, at, 0);
            }
        }
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

    /** Notes that the allocation of the object ends, if it is the latest one. At level "exact", records W. */
    @ForceInline
    static boolean made(int object, int site) {
        long place = place();
        long thread = thread(place);
        if (thread == 0 || UNSAFE.getLong(null, thread + CALL_END) == 0) {
            return false;
        }
        long count = UNSAFE.getLong(null, thread + ALLOCATION_COUNT) - 1;
        if (count < 0
                || UNSAFE.getInt(null, UNSAFE.getLong(null, thread + ALLOCATIONS) + (count << 3) + 4) != site) {
            return false;
        }
        if (IS_EXACT && !use(place, object, 0)) {
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
     * Records N of an object of exactly that class, which no record has named although its constructor has returned; at
     * level "exact" also W. The allocation ends.
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
        next += 6;
        if (IS_EXACT) {
            read(ring, next, id, 0);
            next += 3;
        }
        if (!EttraceHeader.give(object, (int) id)) {
            return false;
        }
        if (IS_EXACT) {
            long slot = thread + SLOTS + ((id & LAST_SLOT) << 4);
            name(ring, thread, slot, id, UNSAFE.getLong(null, thread + SEGMENT) + 1, next);
        }
        UNSAFE.putLong(null, thread + NEXT_ID, id + 1);
        UNSAFE.putLong(null, thread + ALLOCATION_COUNT, UNSAFE.getLong(null, thread + ALLOCATION_COUNT) - 1);
        publish(ring, next);
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
