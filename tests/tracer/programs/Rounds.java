// SPDX-License-Identifier: MIT
/** Loops that use the same objects in each round, and call nothing. */
public final class Rounds {
    private int count = 1;
    private final int[] numbers = new int[8];

    private Rounds() {}

    private static int counted(int[] values, int rounds) {
        int sum = 0;
        for (int i = 0; i < rounds; i++) {
            sum += values[i & 7];
        }
        return sum;
    }

    private static int measured(int[] values, int rounds) {
        int sum = 0;
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < values.length; i++) {
                sum += values[i];
            }
        }
        return sum;
    }

    private static void filled(int[] values, int rounds) {
        for (int i = 0; i < rounds; i++) {
            values[i & 7] = i;
        }
    }

    private int fields(int rounds) {
        int sum = 0;
        for (int i = 0; i < rounds; i++) {
            sum += count;
        }
        return sum;
    }

    /** The jump over the first statement goes to the beginning of the loop. */
    private static int found(Rounds[] all, int rounds) {
        int i = 0;
        if (rounds > 5) {
            i = 1;
        }
        while (i < rounds) {
            if (all[i & 1] == null) {
                break;
            }
            i++;
        }
        return i;
    }

    /** The loop does not come to the object, which is null. */
    private static int skipped(int[] values, int rounds) {
        int sum = 0;
        for (int i = 0; i < rounds; i++) {
            if (i < 0) {
                sum += values[0];
            }
        }
        return sum;
    }

    public static void main(String[] arguments) {
        int rounds = Integer.parseInt(arguments[0]);
        Rounds all = new Rounds();
        filled(all.numbers, rounds);
        int sum = counted(all.numbers, rounds) + measured(all.numbers, rounds) + all.fields(rounds);
        System.out.println(sum + found(new Rounds[] {all, all}, rounds) + skipped(null, rounds));
    }
}
