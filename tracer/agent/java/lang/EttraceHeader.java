/* SPDX-License-Identifier: MIT */
package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ForceInline;

/**
 * Ids in the headers of objects. An id is stored as the identity hash, which the virtual machine makes only when it is
 * first asked for one: a compare-and-set of the header gives the object a hash of ours before. Objects of the virtual
 * machine's archive of classes have hashes already, so a bit that it does not use marks the hashes that are ours. Who
 * sets the hash first decides what it is; it never changes.
 *
 * <p>The header of an object that is locked is somewhere else, and only {@link System#identityHashCode} finds it. With
 * {@code -XX:hashCode=3} the virtual machine counts the hashes that it makes, from 1 on, so ours are those from
 * {@link #MARK} on. Our hashes differ from each other, as they must: newer virtual machines look up tags by them.
 *
 * <p>If the stack overflows, it does so before anything is decided, since nothing is called afterwards.
 */
final class EttraceHeader {
    /** What {@link #find} returns for an object that has no id in its header, and never gets one. */
    static final int NONE = 1;

    /** What {@link #find} returns where nothing is decided. */
    static final int UNDECIDED = 0;

    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final int FIRST_VERSION = 17;
    private static final int LAST_VERSION = 25; /* whose layout is known */
    private static final int SHIFT = Runtime.version().feature() < 24 ? 8 : 11;
    private static final long HASH = Integer.MAX_VALUE;
    private static final int MARK = 1 << 30; /* in a hash that has an id in its other bits */
    private static final int MOST = MARK - 1; /* the highest id */
    private static final int EARLY = 1 << 24; /* more than the hashes that are made before tracing begins */
    private static final int APART = 8; /* the least distance of two objects, bytes */
    private static final long STATE = 7;
    private static final long UNLOCKED = 1;
    private static final long OURS = 1 << 7; /* below the hash; in use by no virtual machine that is known */

    private EttraceHeader() {}

    /** The id of an object, if it can be read at once; else 0. */
    @ForceInline
    static int id(Object object) {
        if (object == null) {
            return 0;
        }
        long header = UNSAFE.getLong(object, 0L);
        return (header & (OURS | STATE)) == (OURS | UNLOCKED) ? (int) (header >>> SHIFT) & MOST : 0;
    }

    /**
     * The id of an object, {@link #NONE} or {@link #UNDECIDED}. Negative if the object is locked: minus its id, or minus
     * the lower bits of the hash that an object of an archive has.
     */
    static int find(Object object) {
        long header = UNSAFE.getLong(object, 0L);
        if ((header & STATE) != UNLOCKED) {
            int hash = System.identityHashCode(object);
            return hash > MARK + NONE ? -(hash & MOST) : NONE;
        }
        int hash = (int) (header >>> SHIFT & HASH);
        return hash == 0 ? UNDECIDED : (header & OURS) != 0 ? hash & MOST : NONE;
    }

    /**
     * Gives the object an id of 2 to {@link #MOST}, if nothing is decided. Returns the id, or what {@link #find} does.
     */
    static int install(Object object, int id) {
        for (;;) {
            int found = find(object);
            if (found != UNDECIDED) {
                return found;
            }
            if (give(object, id)) {
                return id;
            }
        }
    }

    /** Gives an object the id. False: something is decided, or the header cannot be set at once. */
    @ForceInline
    static boolean give(Object object, int id) {
        long header = UNSAFE.getLong(object, 0L);
        return (header & (HASH << SHIFT | OURS | STATE)) == UNLOCKED
                && UNSAFE.compareAndSetLong(object, 0L, header, header | (long) (id | MARK) << SHIFT | OURS);
    }

    /** Why ids cannot be in headers in this virtual machine; null: they can. */
    static String obstacle() {
        int version = Runtime.version().feature();
        if (version < FIRST_VERSION || version > LAST_VERSION) {
            return "the headers of objects of Java " + version + " are not known";
        }
        if (!areCounted(new Object(), new int[5], new Object[] {new byte[1]})) {
            return "the headers of objects are not as expected";
        }
        return keeps(new Object(), 2) && keeps(new long[9], MOST) && keeps(new String("x"), 0x2AAAAAAA)
                ? null : "the headers of objects do not keep ids";
    }

    /** Whether the hashes of new objects are counted: then they are small by now, and closer than addresses can be. */
    private static boolean areCounted(Object... fresh) {
        int last = 0;
        for (Object one : fresh) {
            int hash = hashAsExpected(one);
            if (hash <= last || hash >= EARLY || last != 0 && hash - last >= APART) {
                return false;
            }
            last = hash;
        }
        return true;
    }

    /** The hash that the virtual machine gives to a new object; 0: its header is not as expected, before or after. */
    private static int hashAsExpected(Object fresh) {
        long before = UNSAFE.getLong(fresh, 0L);
        int hash = System.identityHashCode(fresh);
        return (before & (HASH << SHIFT | OURS | STATE)) == UNLOCKED
                && (UNSAFE.getLong(fresh, 0L) ^ before) == (long) hash << SHIFT && find(fresh) == NONE && id(fresh) == 0
                ? hash : 0;
    }

    /** Whether the header of a new object keeps an id while the object is locked and waited for, and afterwards. */
    private static boolean keeps(Object fresh, int id) {
        Class<?> type = fresh.getClass();
        if (find(fresh) != UNDECIDED || install(fresh, id) != id || install(fresh, 3) != id || id(fresh) != id) {
            return false;
        }
        boolean isKept;
        synchronized (fresh) {
            isKept = System.identityHashCode(fresh) == (id | MARK);
            try {
                fresh.wait(0, 1); /* gives its lock another form */
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            isKept &= System.identityHashCode(fresh) == (id | MARK) && Math.abs(find(fresh)) == id;
        }
        return isKept && System.identityHashCode(fresh) == (id | MARK) && Math.abs(find(fresh)) == id
                && fresh.getClass() == type;
    }
}
