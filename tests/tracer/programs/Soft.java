/* SPDX-License-Identifier: MIT */
import java.lang.ref.SoftReference;
import java.util.ArrayList;
import java.util.List;

/**
 * Soft references whose referents nothing else holds; without a delay in the policy, each collection clears them. With
 * an argument, the program itself does.
 */
public class Soft {
    private static int calls;

    /** A referent. */
    static class Cached {
        final byte[] content = new byte[1000];
    }

    static void tick() {
        calls++;
    }

    public static void main(String[] arguments) {
        List<SoftReference<Cached>> cache = new ArrayList<>();
        List<Cached> kept = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            Cached cached = new Cached();
            cache.add(new SoftReference<>(cached));
            if (i % 4 == 0) {
                kept.add(cached);
            }
            cached = null;
            tick();
        }
        for (SoftReference<Cached> reference : arguments.length > 0 ? cache : List.<SoftReference<Cached>>of()) {
            reference.clear();
        }
        for (int i = 0; i < 3000; i++) {
            tick();
        }
        System.out.println(cache.size() + " " + kept.size());
    }
}
