/* SPDX-License-Identifier: MIT */
package etmerlin.tracer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The hierarchies of all class loaders. Classes of the same name in two loaders, such as two versions of a library, may
 * differ. Loaders are held weakly, and compared by identity, since a program may redefine their equality. An object of
 * java.lang.ref.WeakReference would be in the trace: the JDK's own code passes on those that are cleared.
 */
final class Hierarchies {
    /** What is known of the classes of a loader, which it does not keep alive. */
    private static final class Known {
        final long loader; /* as of Names.refer */
        final Map<String, Hierarchy.Facts> facts = new ConcurrentHashMap<>();

        Known(ClassLoader loader) {
            this.loader = Names.refer(loader);
        }
    }

    private final Map<String, Hierarchy.Facts> boot = new ConcurrentHashMap<>();
    private final Map<Integer, List<Known>> known = new HashMap<>(); /* by the hash of the loader */

    /** The hierarchy of that loader; null is the boot loader. */
    Hierarchy of(ClassLoader loader) {
        return new Hierarchy(this, loader, loader == null ? boot : facts(loader));
    }

    private synchronized Map<String, Hierarchy.Facts> facts(ClassLoader loader) {
        int hash = System.identityHashCode(loader);
        List<Known> alike = known.get(hash);
        for (int i = 0; alike != null && i < alike.size(); i++) {
            if (Names.refersTo(alike.get(i).loader, loader)) {
                return alike.get(i).facts;
            }
        }
        forgetThoseGone();
        alike = known.get(hash);
        if (alike == null) {
            alike = new ArrayList<>(1);
            known.put(hash, alike);
        }
        Known one = new Known(loader);
        alike.add(one);
        return one.facts;
    }

    private void forgetThoseGone() {
        for (Iterator<List<Known>> lists = known.values().iterator(); lists.hasNext(); ) {
            List<Known> alike = lists.next();
            for (int i = alike.size() - 1; i >= 0; i--) {
                if (Names.refersTo(alike.get(i).loader, null)) {
                    Names.forget(alike.remove(i).loader);
                }
            }
            if (alike.isEmpty()) {
                lists.remove();
            }
        }
    }
}
