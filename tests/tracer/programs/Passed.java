/* SPDX-License-Identifier: MIT */

/** Threads in a ring: each hands objects on to the next one, until each object has been with all of them. */
public class Passed {
    static final int THREADS = 4;
    static final int BATCH = 64;
    static final int CAPACITY = 4096; /* more than one queue ever has, so none is full */

    static final class Item {
        int passes;

        boolean pass() {
            return ++passes == THREADS;
        }
    }

    /** From one thread to one other. */
    abstract static class Queue {
        final Item[] items = new Item[CAPACITY];

        abstract void put(Item item);

        /** Takes the next item; null: there is none. */
        abstract Item take();
    }

    /** Published by a store into a volatile field. */
    static final class Counted extends Queue {
        private volatile int count;
        private int taken;

        @Override
        void put(Item item) {
            items[count % CAPACITY] = item;
            count = count + 1;
        }

        @Override
        Item take() {
            return taken == count ? null : items[taken++ % CAPACITY];
        }
    }

    /** Published by a lock. */
    static final class Locked extends Queue {
        private int count;
        private int taken;

        @Override
        synchronized void put(Item item) {
            items[count++ % CAPACITY] = item;
        }

        @Override
        synchronized Item take() {
            return taken == count ? null : items[taken++ % CAPACITY];
        }
    }

    static final class Work extends Thread {
        private final Queue from;
        private final Queue to;
        private final int rounds;

        Work(Queue from, Queue to, int rounds) {
            this.from = from;
            this.to = to;
            this.rounds = rounds;
        }

        private void pass(Item item) {
            if (!item.pass()) {
                to.put(item);
            }
        }

        private Item await() {
            while (true) {
                Item item = from.take();
                if (item != null) {
                    return item;
                }
                Thread.yield();
            }
        }

        @Override
        public void run() {
            for (int round = 0; round < rounds; round++) {
                for (int i = 0; i < BATCH; i++) {
                    pass(new Item());
                }
                for (int i = 0; i < BATCH * (THREADS - 1); i++) {
                    pass(await());
                }
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        int rounds = Integer.parseInt(arguments[0]);
        Queue[] queues = new Queue[THREADS];
        for (int i = 0; i < THREADS; i++) {
            queues[i] = i % 2 == 0 ? new Counted() : new Locked();
        }
        Work[] all = new Work[THREADS];
        for (int i = 0; i < THREADS; i++) {
            all[i] = new Work(queues[i], queues[(i + 1) % THREADS], rounds);
        }
        for (Work work : all) {
            work.start();
        }
        for (Work work : all) {
            work.join();
        }
    }
}
