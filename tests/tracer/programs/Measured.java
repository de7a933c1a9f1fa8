/* SPDX-License-Identifier: MIT */
import java.lang.reflect.Method;
import java.util.Arrays;

/**
 * Runs a program twice in one virtual machine: first so that the machine makes what it makes only once; then, after a
 * full collection has made all objects old, to be measured. The arguments: its class, its arguments, the last of which
 * is how often it does its work, and how often it does so the first time.
 */
public class Measured {
    /** Traces start when this method is called. */
    static void measured(Method main, String[] arguments) throws Exception {
        main.invoke(null, (Object) arguments);
    }

    public static void main(String[] words) throws Exception {
        Method main = Class.forName(words[0]).getMethod("main", String[].class);
        String[] arguments = Arrays.copyOfRange(words, 1, words.length - 1);
        String[] first = arguments.clone();
        first[first.length - 1] = words[words.length - 1];
        main.invoke(null, (Object) first);
        System.gc();
        measured(main, arguments);
    }
}
