/* SPDX-License-Identifier: MIT */
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;

/**
 * Objects that live for a moment, for a while and for longer: trees and texts that are dropped at once, trees in a
 * queue, and trees in a cache, which drops those not used for long. The argument: how often.
 */
public class Generations {
    static final int CACHED = 400;
    static final int QUEUED = 120;

    static final class Tree {
        final byte[] load;
        Tree left;
        Tree right;

        Tree(int depth, Random random) {
            load = new byte[16 + random.nextInt(64)];
            if (depth > 0) {
                left = new Tree(depth - 1, random);
                right = new Tree(depth - 1, random);
            }
        }

        int bytes() {
            return load.length + (left == null ? 0 : left.bytes() + right.bytes());
        }
    }

    static class Cache extends LinkedHashMap<Integer, Tree> {
        private static final long serialVersionUID = 1;

        Cache() {
            super(16, .75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, Tree> eldest) {
            return size() > CACHED;
        }
    }

    static final Cache CACHE = new Cache();
    static final ArrayDeque<Tree> QUEUE = new ArrayDeque<>();

    static String text(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 20; i++) {
            text.append(random.nextInt(1000)).append(' ');
        }
        return text.toString();
    }

    static Tree cached(int key, Random random) {
        Tree tree = CACHE.get(key);
        if (tree == null) {
            tree = new Tree(4, random);
            CACHE.put(key, tree);
        }
        return tree;
    }

    static long work(Random random) {
        Tree tree = new Tree(3 + random.nextInt(3), random);
        long sum = tree.bytes() + text(random).length() + cached(random.nextInt(1500), random).load.length;
        if (random.nextInt(4) == 0) {
            QUEUE.add(tree);
            if (QUEUE.size() > QUEUED) {
                sum += QUEUE.poll().load.length;
            }
        }
        return sum;
    }

    public static void main(String[] arguments) {
        Random random = new Random(42);
        long sum = 0;
        for (int i = Integer.parseInt(arguments[0]); i > 0; i--) {
            sum += work(random);
        }
        System.out.println(sum + " " + CACHE.size());
    }
}
