/* SPDX-License-Identifier: MIT */
import java.util.ArrayList;
import java.util.List;

/** Virtual threads that sleep for moments, while the main thread calls a method. */
public class Napping {
    private static volatile Object latest;

    static void nap(int count) {
        try {
            for (int i = 0; i < count; i++) {
                latest = new int[4];
                Thread.sleep(0, 100_000);
                Thread.yield();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static int tick(int count) {
        return count + 1;
    }

    public static void main(String[] arguments) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            threads.add(Thread.ofVirtual().start(() -> nap(200)));
        }
        for (int i = 0; i < 4000; i++) {
            if (tick(i) % 50 == 0) {
                Thread.sleep(1);
            }
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("done");
    }
}
