/* SPDX-License-Identifier: MIT */

/** A variable of a method that never returns holds a list to the end: of the program, or of the trace. */
public class Leaving {
    private static int calls;

    static class Node {
        final Node next;

        Node(Node next) {
            this.next = next;
        }
    }

    static void tick() {
        calls++;
    }

    static void last() {
        tick();
    }

    public static void main(String[] arguments) {
        Node list = null;
        for (int i = 0; i < 200; i++) {
            list = new Node(list);
        }
        for (int i = 0; i < 1000; i++) {
            tick();
        }
        last();
        if (arguments.length == 0) {
            Thread leaver = new Thread(() -> System.exit(0));
            leaver.start();
            try {
                leaver.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        for (int i = 0; i < 1000; i++) {
            tick();
        }
        System.out.println(list.next != null);
    }
}
