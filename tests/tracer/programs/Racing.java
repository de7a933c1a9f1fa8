/* SPDX-License-Identifier: MIT */
/** Two threads that name the same objects at the same moment: one that makes them, one that waits for them. */
public class Racing {
    /** Its constructor is not traced, so it is first named by the thread that stores into it or reads it. */
    static class Shared {
        Object mine;
        Object yours;

        Shared() {
            slot = this;
        }
    }

    static volatile Shared slot;
    static volatile boolean isDone;
    static volatile int met;

    static void wait(Object token) {
        Shared last = null;
        while (!isDone) {
            Shared now = slot;
            if (now != last) {
                now.yours = token;
                last = now;
                met = met + 1;
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        int rounds = Integer.parseInt(arguments[0]);
        Object token = new Object();
        Thread other = new Thread(() -> wait(token));
        other.start();
        for (int i = 0; i < rounds; i++) {
            new Shared().mine = token;
            while (met <= i) {
                Thread.onSpinWait();
            }
        }
        isDone = true;
        other.join();
    }
}
