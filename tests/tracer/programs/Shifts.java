// SPDX-License-Identifier: MIT
import java.util.ArrayList;
import java.util.List;

/** Moves the last element of a long list to its head, again and again: each time, all others are copied within an array. */
public final class Shifts {
    private static final int LENGTH = 20_000;

    private Shifts() {}

    public static void main(String[] arguments) {
        List<Object> list = new ArrayList<>();
        for (int i = 0; i < LENGTH; i++) {
            list.add("element " + i);
        }
        for (int i = 0; i < Integer.parseInt(arguments[0]); i++) {
            list.add(0, list.remove(LENGTH - 1));
        }
        System.out.println(list.get(0));
    }
}
