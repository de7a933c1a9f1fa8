/* SPDX-License-Identifier: MIT */

/** Keeps exceptions: ten of its own, one that the virtual machine makes, and the stack trace of one. */
public class Thrown {
    static final Throwable[] kept = new Throwable[11];
    static StackTraceElement[] trace;

    static int deep(int depth) {
        return 1 + deep(depth + 1);
    }

    public static void main(String[] arguments) {
        for (int i = 0; i < 10; i++) {
            kept[i] = new IllegalStateException("number " + i);
        }
        try {
            deep(0);
        } catch (StackOverflowError e) {
            kept[10] = e;
        }
        trace = kept[3].getStackTrace();
        System.out.println(trace[0]);
    }
}
