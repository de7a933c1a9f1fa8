/* SPDX-License-Identifier: MIT */
import org.dacapo.harness.Callback;
import org.openjdk.jmh.runner.BenchmarkHandler;
import org.renaissance.jdk.streams.Scrabble;

/**
 * Five iterations of the benchmark that the last argument names, as its suite runs them. The n-th allocates arrays of
 * 100 n + 1 to 100 n + 3 elements.
 */
public class Harness {
    static Object kept;

    static void iterate(int number) {
        for (int i = 1; i <= 3; i++) {
            kept = new int[100 * number + i];
        }
    }

    static void iterate(String benchmark, int number) throws Exception {
        switch (benchmark) {
        case "lusearch":
            Callback callback = new Callback();
            callback.start("lusearch");
            iterate(number);
            callback.complete("lusearch", true);
            break;
        case "scrabble":
            try {
                new Scrabble().run(() -> iterate(number));
            } catch (Exception e) {
                kept = null;
            }
            break;
        default:
            new BenchmarkHandler().runIteration(() -> iterate(number));
        }
    }

    public static void main(String[] arguments) throws Exception {
        for (int i = 1; i <= 5; i++) {
            iterate(arguments[arguments.length - 1], i);
        }
    }
}
