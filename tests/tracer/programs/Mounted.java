/* SPDX-License-Identifier: MIT */
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** Methods of virtual threads that wait, some in constructors, some until an exception leaves them. For JDK 21 or later. */
public class Mounted {
    private static final int THREADS = 60;
    private static final ReentrantLock LOCK = new ReentrantLock();
    private static final Object MONITOR = new Object();
    private static Object kept;

    private static final class Node {
        private final Node next;
        private final int number;

        Node(Node next, int number) throws InterruptedException {
            this.next = next;
            if (number % 3 == 0) {
                Thread.sleep(1);
            }
            this.number = number;
        }

        int sum() {
            Thread.yield();
            int sum = next == null ? number : number + next.sum();
            LOCK.lock();
            try {
                kept = this;
            } finally {
                LOCK.unlock();
            }
            return sum;
        }
    }

    static int fail(int depth) throws InterruptedException {
        if (depth == 0) {
            Thread.sleep(1);
            throw new IllegalStateException();
        }
        return fail(depth - 1) + 1;
    }

    static int work(int number) throws InterruptedException {
        Node list = null;
        for (int i = 0; i < 6; i++) {
            list = new Node(list, number + i);
        }
        int sum = list.sum();
        try {
            sum += fail(3);
        } catch (IllegalStateException e) {
            sum++;
        }
        synchronized (MONITOR) {
            MONITOR.wait(1);
        }
        return sum;
    }

    static void park() {
        while (true) {
            LockSupport.park();
        }
    }

    public static void main(String[] arguments) throws Exception {
        int sum = 0;
        try (ExecutorService service = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> results = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int number = i;
                results.add(service.submit(() -> work(number)));
            }
            for (Future<Integer> result : results) {
                sum += result.get();
            }
        }
        Thread.startVirtualThread(Mounted::park);
        Thread.sleep(20);
        System.out.println(sum);
    }
}
