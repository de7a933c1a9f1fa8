/* SPDX-License-Identifier: MIT */
import java.lang.ref.Cleaner;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.WeakHashMap;

/** Reference objects of each kind, some of which the program clears, and some the collector. */
public final class References {
    private static final ReferenceQueue<Object> QUEUE = new ReferenceQueue<>();
    private static final List<Object> KEPT = new ArrayList<>();
    private static volatile int finalized;
    private static volatile int cleaned;

    static final class Referent {
        int number;
    }

    static final class Finalized {
        @Override
        protected void finalize() {
            finalized++;
        }
    }

    static final class Weak extends WeakReference<Object> {
        Weak(Object referent, ReferenceQueue<Object> queue) {
            super(referent, queue);
        }
    }

    static final class Soft extends SoftReference<Object> {
        Soft(Object referent) {
            super(referent);
        }
    }

    static final class Phantom extends PhantomReference<Object> {
        Phantom(Object referent) {
            super(referent, QUEUE);
        }
    }

    /** Two weak references, one of them with a queue, and two others, for the collector. */
    private static void leave() {
        KEPT.add(new Weak(new Referent(), QUEUE));
        KEPT.add(new Weak(new Referent(), null));
        KEPT.add(new Phantom(new Referent()));
        new Finalized();
    }

    /** Four that the program clears, some of them twice, and two that it keeps. */
    private static void clear() {
        Referent held = new Referent();
        KEPT.add(held);
        Weak weak = new Weak(held, null);
        Weak queued = new Weak(held, QUEUE);
        Soft soft = new Soft(held);
        Phantom phantom = new Phantom(held);
        weak.clear();
        weak.clear();
        soft.clear();
        phantom.clear();
        queued.enqueue();
        queued.enqueue();
        queued.clear();
        KEPT.addAll(List.of(weak, queued, soft, phantom, new Weak(held, null), new Soft(held)));
        KEPT.add(new Weak(null, QUEUE));
    }

    private static void collect() throws InterruptedException {
        int polled = 0;
        while (polled < 3 || finalized == 0 || cleaned == 0) {
            System.gc();
            Reference<?> next = QUEUE.remove(10);
            polled += next == null ? 0 : 1;
        }
    }

    private static void run(WeakHashMap<Object, String> map) throws InterruptedException {
        leave();
        clear();
        map.put(new Referent(), "value");
        Cleaner.create().register(new Referent(), () -> cleaned++);
        collect();
        while (!map.isEmpty()) {
            System.gc();
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Weak before = new Weak(KEPT, null);
        KEPT.add(before);
        run(new WeakHashMap<>());
        System.out.println(finalized + " " + cleaned + " " + (before.get() == KEPT));
    }
}
