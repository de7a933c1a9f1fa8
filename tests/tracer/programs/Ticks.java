/* SPDX-License-Identifier: MIT */
import java.math.BigInteger;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;

/**
 * Threads that allocate much between two boundaries: in a loop, in long calls of the library, some of which call back,
 * and while classes are loaded. The argument: the folder of the classes.
 */
public class Ticks {
    static volatile Object kept;

    /** Allocates more and more at once, up to 50,000 bytes, without a call. */
    static void fill() {
        for (int i = 1; i < 1000; i++) {
            kept = new byte[50 * i];
        }
    }

    static void compute() {
        kept = BigInteger.valueOf(3).pow(4000).toString();
    }

    static int compare(Integer left, Integer right) {
        kept = new int[100];
        return left.compareTo(right);
    }

    static void sort() {
        Integer[] numbers = new Integer[2000];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = i * 7919 % numbers.length;
        }
        Arrays.sort(numbers, Ticks::compare);
    }

    /** Leaves by an exception, which is a boundary, too. */
    static void fail(int bytes) {
        kept = new byte[bytes];
        throw new IllegalStateException();
    }

    static void failOften() {
        for (int i = 0; i < 500; i++) {
            try {
                fail(300);
            } catch (IllegalStateException e) {
                kept = new byte[300];
            }
        }
    }

    /** A loader of its own loads the class again, and all that it needs. */
    static void load(String folder) {
        try (URLClassLoader loader = new URLClassLoader(new URL[] {new URL("file:" + folder + "/")}, null)) {
            kept = loader.loadClass("Ticks").getDeclaredMethods();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    static void work(String folder) throws InterruptedException {
        Thread[] threads = {
            new Thread(Ticks::fill), new Thread(Ticks::compute), new Thread(Ticks::sort), new Thread(Ticks::failOften),
            new Thread(() -> load(folder)),
        };
        for (Thread thread : threads) {
            thread.start();
        }
        compute();
        for (Thread thread : threads) {
            thread.join();
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        work(arguments[0]);
        System.out.println(kept != null);
    }
}
