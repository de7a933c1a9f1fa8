/* SPDX-License-Identifier: MIT */
import java.util.Random;

/**
 * Queues whose links keep their references after they have left: an old and dead link leads to all links after it, so
 * that minor collections promote nearly all of them. The argument: how often.
 */
public class Chains {
    static final int QUEUES = 16;
    static final int QUEUED = 100;

    static final class Link {
        final byte[] load;
        Link next;

        Link(int bytes) {
            load = new byte[bytes];
        }
    }

    static final Link[] HEADS = new Link[QUEUES];
    static final Link[] TAILS = new Link[QUEUES];
    static byte[] dropped;

    static void append(int queue, int bytes) {
        Link link = new Link(bytes);
        TAILS[queue].next = link;
        TAILS[queue] = link;
    }

    /** Three times as many bytes are dropped at once as are queued, so that survivors of four ages have room. */
    static int work(Random random) {
        int queue = random.nextInt(QUEUES);
        append(queue, random.nextInt(100));
        HEADS[queue] = HEADS[queue].next;
        for (int i = 0; i < 3; i++) {
            dropped = new byte[20 + random.nextInt(100)];
        }
        return dropped.length;
    }

    static void fill() {
        for (int queue = 0; queue < QUEUES; queue++) {
            HEADS[queue] = TAILS[queue] = new Link(10);
            for (int i = 0; i < QUEUED; i++) {
                append(queue, 10);
            }
        }
    }

    public static void main(String[] arguments) {
        if (HEADS[0] == null) {
            fill();
        }
        Random random = new Random(7);
        long sum = 0;
        for (int i = Integer.parseInt(arguments[0]); i > 0; i--) {
            sum += work(random);
        }
        System.out.println(sum);
    }
}
