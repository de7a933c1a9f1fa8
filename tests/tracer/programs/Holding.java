/* SPDX-License-Identifier: MIT */
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** Holds so many objects, and so many threads that have run; then prints its resident memory in KiB. */
public class Holding {
    static class Thing {
        int number;
    }

    static Thing[] things;

    static void tick() {}

    /** Makes more records than the ring of a thread holds. */
    static void work(CountDownLatch worked, CountDownLatch end) {
        for (int i = 0; i < 30000; i++) {
            tick();
        }
        worked.countDown();
        try {
            end.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] arguments) throws Exception {
        things = new Thing[Integer.parseInt(arguments[0])];
        for (int i = 0; i < things.length; i++) {
            things[i] = new Thing();
        }
        int count = Integer.parseInt(arguments[1]);
        CountDownLatch worked = new CountDownLatch(count);
        CountDownLatch end = new CountDownLatch(1);
        for (int i = 0; i < count; i++) {
            new Thread(() -> work(worked, end)).start();
        }
        worked.await();
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("VmRSS:")) {
                System.out.println(line.replaceAll("\\D", ""));
            }
        }
        end.countDown();
    }
}
