/* SPDX-License-Identifier: MIT */
/** A leak: a static field holds more and more, another one less, a local variable the rest; and one object is held
 * by two of them. The lengths of arrays show which of them holds one. */
public class Leaking {
    static class Entry {
        final Entry next;
        final byte[] data;

        Entry(Entry next, int length) {
            this.next = next;
            data = new byte[length];
        }
    }

    static class Table {
        Entry entries;
        byte[] shared;
    }

    static class Last {
        final byte[] data = new byte[3000];

        /* The program ends in this method; nothing else holds its object. */
        void ends() {
            System.exit(data.length == 3000 ? 0 : 1);
        }
    }

    static final Table leak = new Table();
    static Entry second, dropped;
    static byte[] shared;

    static void grows() {
        leak.entries = new Entry(leak.entries, 1000);
    }

    static long sum(Entry entry) {
        long sum = 0;
        for (; entry != null; entry = entry.next)
            sum += entry.data.length;
        return sum;
    }

    /* When most bytes are live, only a variable of this method holds ten entries. */
    static void works() {
        Entry local = null;
        for (int i = 0; i < 10; i++)
            local = new Entry(local, 20000);
        peaks();
        System.out.println(sum(local));
        local = null;
    }

    static void peaks() {
        byte[] most = new byte[2000000];
        touches(most);
        most = null;
    }

    static void touches(byte[] array) {
        array[0] = 1;
    }

    /* 25 entries and their arrays die together. */
    static void drops() {
        for (int i = 0; i < 25; i++)
            dropped = new Entry(dropped, 10);
        dropped = null;
    }

    public static void main(String[] arguments) {
        for (int i = 0; i < 500; i++)
            grows();
        for (int i = 0; i < 100; i++)
            second = new Entry(second, 400);
        drops();
        leak.shared = shared = new byte[50];
        works();
        System.out.println(sum(leak.entries) + " " + sum(second));
        new Last().ends();
    }
}
