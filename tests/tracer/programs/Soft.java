/* SPDX-License-Identifier: MIT */
import java.lang.ref.SoftReference;
import java.util.ArrayList;
import java.util.List;

/**
 * Soft references whose referents nothing else holds; without a delay in the policy, each collection clears them. With
 * the argument "clear", the program itself does. With "fill", the referents are lists that are filled later.
 */
public class Soft {
    private static int calls;
    private static List<List<Cached>> lists = new ArrayList<>();

    /** A referent. */
    static class Cached {
        final byte[] content = new byte[1000];
    }

    static void tick() {
        calls++;
    }

    static void wait(List<?> cache, List<?> kept) {
        for (int i = 0; i < 3000; i++) {
            tick();
        }
        System.out.println(cache.size() + " " + kept.size());
    }

    static void fillLists() {
        for (List<Cached> list : lists) {
            list.add(new Cached());
            tick();
        }
        lists = new ArrayList<>();
    }

    static void fill(List<SoftReference<List<Cached>>> cache) {
        fillLists();
        wait(cache, lists);
    }

    static List<SoftReference<List<Cached>>> makeLists() {
        List<SoftReference<List<Cached>>> cache = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            List<Cached> list = new ArrayList<>();
            lists.add(list);
            cache.add(new SoftReference<>(list));
        }
        return cache;
    }

    public static void main(String[] arguments) {
        if (arguments.length > 0 && arguments[0].equals("fill")) {
            fill(makeLists());
            return;
        }
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
        wait(cache, kept);
    }
}
