/* SPDX-License-Identifier: MIT */
import java.lang.reflect.Field;

/**
 * A thread whose number in Java is high, as after millions of threads; it allocates and stores. With a version of
 * the JDK that counts in a field, {@code --add-opens java.base/java.lang=ALL-UNNAMED} saves making the others.
 */
public class Numbered extends Thread {
    private static final long NUMBER = 1 << 22;
    private static final int THINGS = 1000;

    static final class Thing {
        final Thing next;

        Thing(Thing next) {
            this.next = next;
        }
    }

    Thing first;

    @Override
    public void run() {
        for (int i = 0; i < THINGS; i++) {
            first = new Thing(first);
        }
    }

    private static void skipNumbers() {
        try {
            Field next = Thread.class.getDeclaredField("threadSeqNumber");
            next.setAccessible(true);
            next.setLong(null, NUMBER);
        } catch (ReflectiveOperationException e) {
            long number = 0;
            while (number < NUMBER) {
                number = new Thread().getId();
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        skipNumbers();
        Numbered thread = new Numbered();
        thread.start();
        thread.join();
        System.out.println(thread.getId() >= NUMBER && thread.first != null);
    }
}
