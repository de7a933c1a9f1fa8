/* SPDX-License-Identifier: MIT */
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;

/**
 * Threads that mostly allocate: small trees, some of which a queue keeps for a while, texts, and a cache that drops
 * entries not used for long. The arguments: how many rounds in all, and how many threads (1).
 */
public class Churn extends Thread {
    static final class Node {
        Node left;
        Node right;
        final byte[] content;

        Node(int depth, Random random) {
            content = new byte[16 + random.nextInt(64)];
            if (depth > 0) {
                left = new Node(depth - 1, random);
                right = new Node(depth - 1, random);
            }
        }

        int size() {
            return content.length + (left == null ? 0 : left.size()) + (right == null ? 0 : right.size());
        }
    }

    static final class Cache extends LinkedHashMap<Integer, Node> {
        private static final long serialVersionUID = 1;

        Cache() {
            super(16, .75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, Node> entry) {
            return size() > 400;
        }
    }

    private final int rounds;
    private final Random random;
    private final Cache cache = new Cache();
    private final ArrayDeque<Node> queue = new ArrayDeque<>();
    private long sum;

    Churn(int rounds, int seed) {
        this.rounds = rounds;
        random = new Random(seed);
    }

    private int round() {
        Node tree = new Node(3 + random.nextInt(3), random);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 20; i++) {
            text.append(random.nextInt(1000)).append(' ');
        }
        int key = random.nextInt(1500);
        Node cached = cache.get(key);
        if (cached == null) {
            cached = new Node(4, random);
            cache.put(key, cached);
        }
        if (random.nextInt(4) == 0) {
            queue.add(tree);
        }
        int old = queue.size() > 120 ? queue.poll().content.length : 0;
        return tree.size() + text.toString().length() + cached.content.length + old;
    }

    @Override
    public void run() {
        for (int i = 0; i < rounds; i++) {
            sum += round();
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        int count = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 1;
        Churn[] threads = new Churn[count];
        for (int i = 0; i < count; i++) {
            threads[i] = new Churn(Integer.parseInt(arguments[0]) / count, 42 + i);
            threads[i].start();
        }
        for (Churn thread : threads) {
            thread.join();
            System.out.println(thread.sum + " " + thread.cache.size());
        }
    }
}
