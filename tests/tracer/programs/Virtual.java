/* SPDX-License-Identifier: MIT */
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Virtual threads that wait: for a lock, for time, and for each other. For JDK 21 or later. */
public class Virtual {
    private static final int THREADS = 40;
    private static final List<Object> KEPT = new ArrayList<>();
    private static int calls;

    static synchronized void tick() {
        calls++;
    }

    private static void work(int number, CountDownLatch begun, CountDownLatch end) {
        try {
            tick();
            Thread.sleep(1);
            synchronized (KEPT) {
                KEPT.add(new int[number]);
            }
            begun.countDown();
            end.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] arguments) throws Exception {
        CountDownLatch begun = new CountDownLatch(THREADS);
        CountDownLatch end = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int number = i;
            threads.add(Thread.ofVirtual().start(() -> work(number, begun, end)));
        }
        begun.await();
        for (int i = 0; i < 1000; i++) {
            tick();
        }
        end.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(KEPT.size());
    }
}
