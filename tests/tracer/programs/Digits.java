/* SPDX-License-Identifier: MIT */
import java.math.BigInteger;

/** Long calls of the library, in which no method of the program begins. The argument: how often. */
public class Digits {
    public static void main(String[] arguments) {
        long digits = 0;
        for (int i = Integer.parseInt(arguments[0]); i > 0; i--) {
            digits += BigInteger.valueOf(3).pow(60000).toString().length();
        }
        System.out.println(digits);
    }
}
