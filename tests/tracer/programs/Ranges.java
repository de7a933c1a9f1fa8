/* SPDX-License-Identifier: MIT */
/** Methods that begin with a read of a field of their object; and parts of a run. */
public class Ranges {
    static class Cell {
        Cell next;
        Object value = new Object();

        Object getValue() {
            return value;
        }

        /* Begins with a read to which a loop jumps back. */
        int follow() {
            while (next != null && next.value != this) {
                next = next.next;
            }
            return 0;
        }

        int hash() {
            return value.hashCode() & 1;
        }

        Object failing() {
            return next.value;
        }
    }

    static class Before {}

    static class Within {}

    static class After {}

    static Object kept;

    static void part(int depth) {
        kept = new Within();
        if (depth > 0) {
            part(depth - 1);
        }
        new Within();
    }

    static int work() {
        Cell first = new Cell();
        first.next = new Cell();
        first.next.next = new Cell();
        int sum = 0;
        for (int i = 0; i < 10; i++) {
            sum += first.getValue() == null ? 1 : 0;
            sum += first.hash() * 0;
        }
        sum += first.follow();
        try {
            first.failing();
        } catch (NullPointerException e) {
            sum += 5;
        }
        return sum;
    }

    public static void main(String[] arguments) throws Exception {
        Object early = new Before();
        Thread other = new Thread(() -> {
            Object mine = new Object();
            while (!Thread.interrupted()) {
                mine.hashCode();
            }
        });
        other.start();
        kept = new Before();
        int sum = work();
        part(2);
        kept = new After();
        other.interrupt();
        other.join();
        System.out.println(sum + " " + early.getClass().getName());
    }
}
