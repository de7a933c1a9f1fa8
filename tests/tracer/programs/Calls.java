// SPDX-License-Identifier: MIT
/** Mostly calls small methods: Fibonacci numbers, each of which is the sum of two calls. */
public final class Calls {
    private Calls() {}

    private static int fibonacci(int number) {
        return number < 2 ? number : fibonacci(number - 1) + fibonacci(number - 2);
    }

    public static void main(String[] arguments) {
        long sum = 0;
        for (int i = 0; i < Integer.parseInt(arguments[0]); i++) {
            sum += fibonacci(22);
        }
        System.out.println(sum);
    }
}
