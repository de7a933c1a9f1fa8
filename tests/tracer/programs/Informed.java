/* SPDX-License-Identifier: MIT */
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.ArrayList;
import java.util.List;

/** The virtual machine fills arrays with objects that it makes. */
public class Informed {
    private static final List<Object> KEPT = new ArrayList<>();
    private static int calls;

    static void tick() {
        calls++;
    }

    public static void main(String[] arguments) {
        long[] threads = {Thread.currentThread().getId()};
        for (int i = 0; i < 20; i++) {
            ThreadInfo[] filled = ManagementFactory.getThreadMXBean().getThreadInfo(threads);
            KEPT.add(filled);
            tick();
        }
        System.out.println(KEPT.size());
    }
}
