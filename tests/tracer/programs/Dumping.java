/* SPDX-License-Identifier: MIT */
import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Makes the virtual machine dump its heap to each of the files, and calls `now` right before each dump but the first:
 * making a dump uses method handles, and drops dead ones of the virtual machine.
 */
public class Dumping {
    static final class Item {
        final String key;
        final double[] values;
        Item next;

        Item(String key, int length) {
            this.key = key;
            values = new double[length];
        }
    }

    static class Point {
        int x;
        short y;
        Object of;
    }

    static final Map<String, Item> ITEMS = new HashMap<>();
    static final List<List<Point>> POINTS = new ArrayList<>();
    static Item chain;
    static HotSpotDiagnosticMXBean machine;

    static void grow(Random random, int count) {
        for (int i = 0; i < count; i++) {
            Item item = new Item(Long.toString(random.nextLong(), 36), random.nextInt(20));
            ITEMS.put(item.key, item);
            item.next = i % 3 == 0 ? chain : null;
            chain = i % 3 == 0 ? item : chain;
            if (i % 10 == 0) {
                POINTS.add(new ArrayList<>());
            }
            Point point = new Point();
            point.of = i % 2 == 0 ? item : new long[i % 7];
            POINTS.get(random.nextInt(POINTS.size())).add(point);
        }
    }

    static void shrink() {
        ITEMS.keySet().removeIf(key -> key.length() % 2 == 0);
        POINTS.subList(0, POINTS.size() / 3).clear();
        for (Item item = chain; item != null && item.next != null; item = item.next) {
            item.next = item.next.next;
        }
    }

    static void now() {
    }

    public static void main(String[] files) throws Exception {
        machine = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        machine.dumpHeap(files[0], true);
        Random random = new Random(7);
        for (int i = 1; i < files.length; i++) {
            grow(random, 20000);
            if (i % 2 == 0) {
                shrink();
            }
            now();
            machine.dumpHeap(files[i], true);
        }
        System.out.println(ITEMS.size() + " " + POINTS.size());
    }
}
