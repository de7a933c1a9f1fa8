/* SPDX-License-Identifier: MIT */
import java.util.ArrayList;
import java.util.List;

/** Behaviour that a tracer could disturb; the argument chooses it. */
public class Behaviour {
    static class Node {
        Node next;
        Object[] data = new Object[3];
    }

    static class Failing {
        final Node node = new Node();

        Failing(boolean fails) {
            if (fails) {
                throw new IllegalStateException("constructor");
            }
        }
    }

    static int depth(int n) {
        return 1 + depth(n + 1);
    }

    static void deep(int n) {
        if (n == 0) {
            throw new UnsupportedOperationException("deep");
        }
        deep(n - 1);
    }

    static void exceptions() {
        try {
            new Failing(true);
        } catch (IllegalStateException e) {
            System.out.println(e + " " + e.getStackTrace()[0]);
        }
        try {
            Node node = null;
            node.next = new Node();
        } catch (NullPointerException e) {
            System.out.println(e.getMessage() + e.getStackTrace()[0]);
        }
        try {
            Object[] strings = new String[1];
            strings[0] = 1;
        } catch (ArrayStoreException e) {
            System.out.println(e.getMessage() + e.getStackTrace()[0]);
        }
        try {
            System.arraycopy(new int[2], 0, new int[1], 0, 2);
        } catch (ArrayIndexOutOfBoundsException e) {
            System.out.println(e.getMessage() + e.getStackTrace()[0]);
        }
        new Failing(false);
        deep(5);
    }

    static void memory() {
        List<long[]> list = new ArrayList<>();
        try {
            while (true) {
                list.add(new long[1 << 18]);
            }
        } catch (OutOfMemoryError e) {
            int count = list.size();
            list = null;
            System.out.println("out of memory: " + (count > 10));
        }
    }

    static void daemon() throws InterruptedException {
        Thread daemon = new Thread(() -> {
            Node last = null;
            while (true) {
                Node node = new Node();
                node.next = last;
                last = node.hashCode() % 16 == 0 ? null : node;
            }
        });
        daemon.setDaemon(true);
        daemon.start();
        Thread.sleep(200);
        System.out.println("main ends");
    }

    static void forever() {
        Node ring = new Node();
        System.out.println("running");
        while (true) {
            Node node = new Node();
            node.next = ring.next;
            ring.next = node.next == null ? node : null;
            depthOne(node);
        }
    }

    static void depthOne(Node node) {
        node.data[1] = node;
    }

    public static void main(String[] arguments) throws Exception {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook " + new Node().data.length)));
        switch (arguments[0]) {
            case "exceptions" -> exceptions();
            case "exit" -> System.exit(7);
            case "halt" -> Runtime.getRuntime().halt(8);
            case "overflow" -> {
                try {
                    depth(0);
                } catch (StackOverflowError e) {
                    System.out.println("overflow");
                }
            }
            case "memory" -> memory();
            case "daemon" -> daemon();
            case "forever" -> forever();
            default -> System.out.println("what?");
        }
    }
}
