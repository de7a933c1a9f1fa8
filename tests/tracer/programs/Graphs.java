/* SPDX-License-Identifier: MIT */
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Graphs with rings in them, which are built, walked, cut and dropped. */
public class Graphs {
    private static final int RINGS = 6;

    /** Has edges to others, in a list and in an array. */
    static class Node {
        final List<Node> next = new ArrayList<>();
        final Node[] nearest = new Node[2];
        boolean isSeen;

        void link(Node other) {
            next.add(other);
            nearest[next.size() % 2] = other;
        }
    }

    private static Node root;

    static Node ring(int length) {
        Node first = new Node();
        Node last = first;
        for (int i = 1; i < length; i++) {
            Node node = new Node();
            last.link(node);
            last = node;
        }
        last.link(first);
        return first;
    }

    static int walk(Node from) {
        Deque<Node> waiting = new ArrayDeque<>();
        int count = 0;
        waiting.add(from);
        while (!waiting.isEmpty()) {
            Node node = waiting.remove();
            if (!node.isSeen) {
                node.isSeen = true;
                count++;
                waiting.addAll(node.next);
            }
        }
        return count;
    }

    static void cut(Node node) {
        node.next.clear();
        node.nearest[0] = null;
    }

    public static void main(String[] arguments) {
        root = new Node();
        for (int i = 1; i <= RINGS; i++) {
            Node ring = ring(i);
            root.link(ring);
            ring.link(root);
        }
        System.out.println(walk(root));
        cut(root);
        root = ring(2);
        System.out.println(walk(root));
        root = null;
        ring(3);
    }
}
