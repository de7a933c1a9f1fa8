/* SPDX-License-Identifier: MIT */
import java.util.Random;

/** Two threads use and store objects at random, their own and shared ones, in variables, fields, elements and statics. */
public class Repeated extends Thread {
    static final class Node {
        Node next;
        int value;
    }

    private static final Node[] shared = new Node[8];
    private static Node latest;
    private static volatile long result;

    private final Random random;
    private final Node[] own = new Node[8];

    Repeated(long seed) {
        random = new Random(seed);
    }

    private int look(Node node) {
        int sum = 0;
        for (int i = 0; node != null && i < 5; i++, node = node.next) {
            sum += node.value;
            node.value++;
            sum += node.value;
        }
        return sum;
    }

    private long step() {
        Node one = own[random.nextInt(8)];
        Node other = new Node();
        Node both = one;
        long sum = other.value;
        switch (random.nextInt(6)) {
            case 0 -> own[random.nextInt(8)] = other;
            case 1 -> {
                other.next = one;
                own[0] = other;
                other.next = null;
                sum += other.value;
            }
            case 2 -> {
                synchronized (shared) {
                    int i = random.nextInt(8);
                    both = shared[i];
                    shared[i] = other;
                    sum += both == null ? 0 : both.value;
                }
            }
            case 3 -> {
                synchronized (shared) {
                    both = latest;
                    latest = one;
                    sum += both == null ? 0 : both.value + both.value;
                }
            }
            case 4 -> {
                if (one != null) {
                    one.next = null;
                    one.value = one.value + one.value;
                    both = null;
                    sum += one.value;
                }
            }
            default -> sum += look(one);
        }
        other = null;
        return sum + look(both);
    }

    @Override
    public void run() {
        long sum = 0;
        for (int i = 0; i < 400; i++) {
            sum += step();
        }
        result = sum;
    }

    public static void main(String[] seeds) throws InterruptedException {
        Repeated first = new Repeated(Long.parseLong(seeds[0]));
        Repeated second = new Repeated(Long.parseLong(seeds[0]) + 1000);
        first.start();
        second.start();
        first.join();
        second.join();
    }
}
