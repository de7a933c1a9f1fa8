/* SPDX-License-Identifier: MIT */

/** Starts itself with an option of java and a class path, and waits for it. */
public class Starting {
    public static void main(String[] arguments) throws Exception {
        if (arguments.length == 0) {
            System.out.println("the other one runs");
            return;
        }
        Process other = new ProcessBuilder("java", arguments[0], "-cp", arguments[1], "Starting").inheritIO().start();
        System.out.println("status " + other.waitFor());
    }
}
