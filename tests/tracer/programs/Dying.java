/* SPDX-License-Identifier: MIT */
/** Methods whose text shows where the objects of each class die, and how many frames they outlive. */
public class Dying {
    static class Temporary {}

    static class Returned {}

    static class Passed {}

    static class Cleared {}

    static class Replaced {}

    static class Inner {}

    static class Outer {
        Object inner;
    }

    static class Thrown extends RuntimeException {
        Thrown() {
            super(null, null, false, false);
        }
    }

    static class Deep {}

    static class Left {}

    static class Shared {
        int touch() {
            return 0;
        }
    }

    static class Kept {}

    static Object held, kept;

    /* Dies when the variable is lost, before the method ends: 0. */
    static int temporary() {
        Temporary variable = new Temporary();
        int hash = variable.hashCode();
        variable = null;
        return hash;
    }

    static Returned returned() {
        return new Returned();
    }

    /* Drops what it gets: it outlives `returned`. */
    static void drops() {
        Returned got = returned();
        got.hashCode();
        got = null;
    }

    static Passed first() {
        return new Passed();
    }

    static Passed second() {
        return first();
    }

    static Passed third() {
        return second();
    }

    /* Outlives three methods. */
    static void last() {
        Passed got = third();
        got.hashCode();
        got = null;
    }

    static void stores() {
        held = new Cleared();
    }

    /* Outlives `stores`, and dies where the field is cleared. */
    static void clears() {
        held = null;
    }

    static void storesAnother() {
        held = new Replaced();
    }

    /* Dies where another one takes its place; outlives `storesAnother`. */
    static void replaces(Object other) {
        held = other;
    }

    static Outer fills() {
        Outer outer = new Outer();
        outer.inner = new Inner();
        return outer;
    }

    /* Both die where the container does; both outlive `fills`. */
    static void contains() {
        Outer outer = fills();
        outer.hashCode();
        outer = null;
    }

    static void fails() {
        throw new Thrown();
    }

    /* The exception outlives the method that it leaves. */
    static void catches() {
        try {
            fails();
        } catch (Thrown thrown) {
            thrown.hashCode();
            thrown = null;
        }
    }

    static Deep recurses(int depth) {
        return depth == 0 ? new Deep() : recurses(depth - 1);
    }

    /* Outlives the method twenty-one times. */
    static void unwinds() {
        Deep got = recurses(20);
        got.hashCode();
        got = null;
    }

    /* Dies when the method ends, with its variable: 0. */
    static void leaves() {
        Left left = new Left();
        left.hashCode();
    }

    static Shared shares() {
        return new Shared();
    }

    /* Another thread calls its method and drops it: both know it, and it outlives `shares`. */
    static void takes() {
        ((Shared) held).touch();
        held = null;
    }

    static void keeps() {
        kept = new Kept();
    }

    public static void main(String[] words) throws InterruptedException {
        temporary();
        drops();
        last();
        stores();
        clears();
        storesAnother();
        replaces(null);
        contains();
        catches();
        unwinds();
        leaves();
        held = shares();
        Thread other = new Thread(Dying::takes);
        other.start();
        other.join();
        keeps();
    }
}
