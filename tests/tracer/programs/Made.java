/* SPDX-License-Identifier: MIT */
import java.util.HashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Makes objects of classes of the JDK; in some of them nothing is stored before their constructor returns. */
public class Made {
    static Object last;

    private static Object make(int number) {
        switch (number % 7) {
            case 0: return Integer.valueOf(1000 + number);
            case 1: return Long.valueOf(1000 + number);
            case 2: return new AtomicLong(number);
            case 3: return new HashMap<String, String>();
            case 4: return new Object();
            case 5: return new StringBuilder(number % 50);
            default: return Double.valueOf(number);
        }
    }

    public static void main(String[] arguments) {
        int rounds = Integer.parseInt(arguments[0]);
        for (int i = 0; i < rounds; i++) {
            last = make(i);
        }
        System.out.println(last.getClass().getName());
    }
}
