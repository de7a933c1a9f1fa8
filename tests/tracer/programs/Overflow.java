/* SPDX-License-Identifier: MIT */
/** The stack runs out again and again, where objects are made and named. */
public class Overflow {
    static final class Node {
        Node next;
    }

    static Node last;

    static void deep(int kind, long a, long b, long c) {
        Node node = new Node();
        node.next = last;
        last = node;
        if (kind > 0) {
            deep(kind - 1, a, b, c);
        } else {
            deeper();
        }
    }

    static void deeper() {
        Node node = new Node();
        node.next = last;
        last = node;
        deeper();
    }

    public static void main(String[] arguments) {
        int overflows = 0;
        for (int i = 0; i < Integer.parseInt(arguments[0]); i++) {
            last = null;
            try {
                deep(i % 50, 1, 2, 3);
            } catch (StackOverflowError e) {
                overflows++;
            }
        }
        last = null;
        System.out.println(overflows);
    }
}
