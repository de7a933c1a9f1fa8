/* SPDX-License-Identifier: MIT */
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.Phaser;
import java.util.function.Supplier;

/** Stores that a trace has once each, and uses that it has at the level exact. */
public class Once {
    static class Base {
        Base(Object given) {}
    }

    /** Stores into another object of its class, and reads it, before it has itself been constructed. */
    static class Passed extends Base {
        Object held;
        Object other;

        Passed(Passed other, Object given) {
            super(other == null ? given : (other.held = other.other == null ? given : null));
        }
    }

    static class Holder {
        Object first = new Object();
        Object second;

        Holder(Object second) {
            this.second = second;
        }
    }

    static class Titled {
        final Object title;

        Titled(Object title) {
            this.title = title;
        }
    }

    /** Holds what surrounds it, which its constructor stores first. */
    class Inner extends Titled {
        Inner(Object title) {
            super(title);
        }

        Object outer() {
            return Once.this;
        }
    }

    static class Weak extends java.lang.ref.WeakReference<Object> {
        Weak(Object of) {
            super(of);
        }
    }

    static class Late {
        final int number;

        Late(int number) {
            this.number = number;
        }
    }

    static int begin() {
        return 3;
    }

    static int beginToo() {
        return 4;
    }

    static class Numbers {
        final int[] ints = new int[3];
        final double[] doubles = new double[2];
        final byte[] bytes = {1, 2, 3};
    }

    static int fillNumbers(Numbers numbers, int index) {
        numbers.ints[index] = index * 2;
        numbers.doubles[index] += 1.5;
        numbers.bytes[index]++;
        return numbers.ints[index] + (int) numbers.doubles[index] + numbers.bytes[index];
    }

    public static void main(String[] arguments) throws Throwable {
        Passed first = new Passed(null, null);
        new Passed(first, new Object());
        String text = "a" + (first == null) + arguments.length;
        Holder holder = new Holder(text);
        Supplier<Object> supplier = () -> holder.second;
        Object captured = new Object();
        Titled titled = new Titled(text) {
            @Override
            public String toString() {
                return captured == null ? "" : "titled";
            }
        };
        Weak weak = new Weak(text);
        MethodType ofInner = MethodType.methodType(void.class, Once.class, Object.class);
        Inner inner = (Inner) MethodHandles.lookup().findConstructor(Inner.class, ofInner).invoke(new Once(), text);
        Holder made = Holder.class.getDeclaredConstructor(Object.class).newInstance(supplier.get());
        System.out.println(new Phaser(begin()).getRegisteredParties() + new Late(beginToo()).number);
        System.out.println(titled + " " + (weak.get() == titled.title && inner.outer() != null) + made.second + " " + fillNumbers(new Numbers(), 1));
    }
}
