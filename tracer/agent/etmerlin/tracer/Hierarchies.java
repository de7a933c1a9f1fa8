/* SPDX-License-Identifier: MIT */
package etmerlin.tracer;

import java.lang.ref.WeakReference;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The hierarchies of all class loaders. Classes of the same name in two loaders, such as two versions of a library, may
 * differ. Loaders are held weakly, and compared by identity, since a program may redefine their equality.
 */
final class Hierarchies {
    /** A loader, which it does not keep alive. */
    private static final class Key extends WeakReference<ClassLoader> {
        private final int hash;

        Key(ClassLoader loader) {
            super(loader);
            hash = System.identityHashCode(loader);
        }

        @Override
        public int hashCode() {
            return hash;
        }

        @Override
        public boolean equals(Object other) {
            return this == other || other instanceof Key && get() != null && get() == ((Key) other).get();
        }
    }

    private final Map<String, Hierarchy.Facts> boot = new ConcurrentHashMap<>();
    private final Map<Key, Map<String, Hierarchy.Facts>> known = new ConcurrentHashMap<>();

    /** The hierarchy of that loader; null is the boot loader. */
    Hierarchy of(ClassLoader loader) {
        return new Hierarchy(this, loader, loader == null ? boot : facts(loader));
    }

    private Map<String, Hierarchy.Facts> facts(ClassLoader loader) {
        Key key = new Key(loader);
        Map<String, Hierarchy.Facts> facts = known.get(key);
        if (facts != null) {
            return facts;
        }
        forgetThoseGone();
        known.putIfAbsent(key, new ConcurrentHashMap<>());
        return known.get(key);
    }

    private void forgetThoseGone() {
        for (Iterator<Key> keys = known.keySet().iterator(); keys.hasNext(); ) {
            if (keys.next().get() == null) {
                keys.remove();
            }
        }
    }
}
