/* SPDX-License-Identifier: MIT */
import java.lang.reflect.Constructor;
import java.util.Random;

/**
 * Threads that allocate, lock, wait for, hash, copy and collect objects, each the same in every run. In the
 * trace all they do can be compared: each reads the objects that it names.
 */
public class Ids {
    /** What is copied within an array. */
    interface Held {}

    static final class Node implements Held, Cloneable {
        Node next;
        Object other;
        Object[] kids;

        Node twin() throws CloneNotSupportedException {
            return (Node) clone();
        }

        Node follow() {
            return next;
        }
    }

    /** Its methods are not traced, so the virtual machine gives it a hash before the trace names it. */
    static class Early implements Held {
        Object held;
        final boolean isOdd;

        Early() {
            isOdd = System.identityHashCode(this) % 2 == 1;
        }
    }

    /** Is locked when it is named. */
    static class Locked implements Held {
        Object held;

        Locked(Object value) {
            synchronized (this) {
                held = value;
            }
        }
    }

    static class Work extends Thread {
        private final Random random;
        private final int rounds;
        private final Node[] nodes = new Node[300];
        private final Held[] held = new Held[700];
        private int found;

        Work(int seed, int rounds) {
            random = new Random(seed);
            this.rounds = rounds;
        }

        private Node make(int round, Constructor<Node> constructor) throws Exception {
            Node from = nodes[random.nextInt(nodes.length)];
            if (round % 7 == 0 && from != null) {
                return from.twin();
            }
            return round % 11 == 0 ? constructor.newInstance() : new Node();
        }

        private void use(Node node, int round) throws InterruptedException {
            node.next = nodes[random.nextInt(nodes.length)];
            if (round % 5 == 0) {
                synchronized (node) {
                    node.other = node.next;
                    if (round % 500 == 0) {
                        node.wait(0, 1);
                    }
                    node.kids = new Object[] {node, new int[round % 9], new Node[2][2]};
                }
            }
            if (round % 3 == 0) {
                System.identityHashCode(node);
            }
            if (node.other == null) {
                node.other = round % 2 == 0 ? new Early() : new Locked(node);
            }
            if (node.other instanceof Early early) {
                early.held = node;
            }
        }

        /** Elements of all kinds move within an array: nodes, objects whose ids are not in headers, and null. */
        private void shift(Node node, int round) {
            if (round % 50 == 0) {
                System.arraycopy(held, 0, held, 3, held.length - 3);
                held[0] = node;
                held[1] = (Held) node.other;
                held[2] = null;
            }
        }

        @Override
        public void run() {
            try {
                Constructor<Node> constructor = Node.class.getDeclaredConstructor();
                for (int round = 1; round <= rounds; round++) {
                    Node node = make(round, constructor);
                    use(node, round);
                    shift(node, round);
                    nodes[random.nextInt(nodes.length)] = node;
                    Node at = node;
                    for (int steps = 0; at != null && steps < 4; steps++) {
                        at = at.follow();
                        found++;
                    }
                    if (round % 64 == 0) {
                        node.next = null;
                        nodes[random.nextInt(nodes.length)] = null;
                    }
                    if (round % (rounds / 4) == 0) {
                        System.gc();
                    }
                }
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        int rounds = Integer.parseInt(arguments[0]);
        Work[] all = {new Work(1, rounds), new Work(2, rounds)};
        for (Work work : all) {
            work.start();
        }
        for (Work work : all) {
            work.join();
        }
        System.out.println(all[0].found + " " + all[1].found);
    }
}
