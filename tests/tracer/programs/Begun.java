/* SPDX-License-Identifier: MIT */

/** Tracing begins while virtual threads are mounted and unmounted all the time. For JDK 21 or later. */
public class Begun {
    private static volatile boolean isDone;

    static void work() {
        while (!isDone) {
            Thread.yield();
        }
    }

    static void begin() {
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread[] threads = new Thread[50];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = Thread.startVirtualThread(Begun::work);
        }
        Thread.sleep(200);
        begin();
        Thread.sleep(100);
        isDone = true;
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("done");
    }
}
