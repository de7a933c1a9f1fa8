/* SPDX-License-Identifier: MIT */

/**
 * Two threads that allocate, link, lock, wait for and collect objects, and check all the time that an object still has
 * the identity hash with which it was born, which is the id in its header.
 */
public class Kept {
    static final int SLOTS = 1 << 12;
    static final int MARK = 1 << 30; /* set in a hash that is an id */

    static final class Node {
        final int born;
        Node next;
        Object[] array;
        int arrayBorn;

        Node() {
            born = System.identityHashCode(this);
        }

        Node follow() {
            return next;
        }
    }

    /** Both threads store their objects here, and use those of the other. */
    static final Node[] shared = new Node[SLOTS];

    static final class Work extends Thread {
        private final int rounds;
        private final Node[] own = new Node[SLOTS];
        private int state;
        private long uses;
        private long differences;
        private long others;

        Work(int seed, int rounds) {
            this.state = seed;
            this.rounds = rounds;
        }

        private int random() {
            state ^= state << 13;
            state ^= state >>> 17;
            state ^= state << 5;
            return state & SLOTS - 1;
        }

        private void check(Object object, int born) {
            uses++;
            if (System.identityHashCode(object) != born) {
                differences++;
            }
            if (born < MARK) {
                others++;
            }
        }

        private void check(Node node) {
            check(node, node.born);
            Object[] array = node.array;
            if (array != null) {
                check(array, node.arrayBorn);
            }
        }

        private Node make(int round) {
            Node node = new Node();
            if (round % 4 == 0) {
                Object[] array = {node, null};
                node.arrayBorn = System.identityHashCode(array);
                node.array = array;
            }
            return node;
        }

        private void lock(Node node, int round) throws InterruptedException {
            synchronized (node) {
                check(node);
                if (round % 8192 == 0) {
                    node.wait(0, 1);
                }
            }
        }

        private void use(Node node, int round) throws InterruptedException {
            for (int steps = 0; node != null && steps < 4; steps++) {
                check(node);
                if (round % 16 == 0) {
                    lock(node, round);
                }
                node = node.follow();
            }
        }

        @Override
        public void run() {
            try {
                for (int round = 1; round <= rounds; round++) {
                    Node node = make(round);
                    node.next = round % 64 == 0 ? null : own[random()];
                    own[random()] = node;
                    if (round % 8 == 0) {
                        shared[random()] = node;
                    }
                    use(node, round);
                    use(shared[random()], round);
                    if (round % (rounds / 8) == 0) {
                        System.gc();
                    }
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        int rounds = Integer.parseInt(arguments[0]);
        Work[] all = {new Work(1, rounds), new Work(2, rounds)};
        long uses = 0;
        long differences = 0;
        long others = 0;
        for (Work work : all) {
            work.start();
        }
        for (Work work : all) {
            work.join();
            uses += work.uses;
            differences += work.differences;
            others += work.others;
        }
        System.out.println(uses + " " + differences + " " + others);
    }
}
