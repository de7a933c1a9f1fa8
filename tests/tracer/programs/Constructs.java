/* SPDX-License-Identifier: MIT */
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;

/**
 * A part for each way of allocating and storing. Each part stores objects somewhere, lets some methods
 * run, and uses the objects again: if a store is not recorded, an object dies too early in the trace.
 */
public class Constructs {
    static class Thing implements Cloneable, Serializable {
        private static final long serialVersionUID = 1;
        Thing next;
        final int number;

        Thing(int number) {
            this.number = number;
        }

        int get() {
            return number;
        }

        Thing copy() throws CloneNotSupportedException {
            return (Thing) clone();
        }
    }

    record Pair(Thing left, Thing right) {
        Pair {
            tick();
        }
    }

    enum Kind {
        ONE(new Thing(1)),
        TWO(new Thing(2)) {
            @Override
            int weight() {
                return 2 * thing.get();
            }
        };

        final Thing thing;

        Kind(Thing thing) {
            this.thing = thing;
        }

        int weight() {
            return thing.get();
        }
    }

    interface Weighed {
        Thing thing();

        default int weight() {
            return thing().get();
        }
    }

    static class Closing implements AutoCloseable {
        Thing held = new Thing(5);

        @Override
        public void close() {
            held = null;
            tick();
        }
    }

    static class Escaping {
        static Escaping last;
        final Thing before;
        Thing after;

        Escaping() {
            before = new Thing(6);
            last = this;
            tick();
            after = new Thing(7);
        }
    }

    static class Failing extends Escaping {
        Failing(Thing thing) {
            super();
            after = thing;
            if (thing.get() % 2 == 0) {
                throw new IllegalStateException("even");
            }
        }
    }

    static class Lazy {
        static final Thing[] TABLE = {new Thing(8), new Thing(9)};

        static {
            tick();
        }
    }

    class Inner {
        final Thing own = new Thing(base.get());

        int sum() {
            return own.get() + base.get();
        }
    }

    final Thing base = new Thing(10);
    volatile Thing varied;
    static Thing shared;

    static void tick() {}

    static int language() throws Exception {
        int sum = 0;
        Pair pair = new Pair(new Thing(1), new Thing(2));
        tick();
        sum += pair.left().get() + pair.right().get();
        for (Kind kind : Kind.values()) {
            sum += kind.weight();
        }
        switch (("on" + "e" + sum).substring(0, 3)) {
            case "one" -> sum += new Thing(3).get();
            case "two" -> sum += 2;
            default -> sum += 1;
        }
        try (Closing one = new Closing(); Closing two = new Closing()) {
            sum += one.held.get() + two.held.get();
        }
        Weighed weighed = new Weighed() {
            final Thing thing = new Thing(4);

            @Override
            public Thing thing() {
                return thing;
            }
        };
        tick();
        return sum + weighed.weight() + constructors();
    }

    static int constructors() {
        int sum = 0;
        for (int i = 0; i < 4; i++) {
            try {
                sum += new Failing(new Thing(i)).after.get();
            } catch (IllegalStateException e) {
                sum += Escaping.last.before.get() + Escaping.last.after.get();
            }
        }
        Escaping.last = null;
        tick();
        Inner inner = new Constructs().new Inner();
        tick();
        return sum + inner.sum() + Lazy.TABLE[1].get();
    }

    static int count(Thing... things) {
        tick();
        return things.length + things[things.length - 1].get();
    }

    static synchronized int arrays() {
        Thing[][] matrix = new Thing[3][4];
        Thing[][][] cube = new Thing[2][2][];
        matrix[1][2] = new Thing(11);
        cube[1][0] = matrix[1];
        tick();
        int sum = cube[1][0][2].get() + count(new Thing(12), new Thing(13));
        Thing[] row = matrix[1].clone();
        matrix = null;
        cube = null;
        tick();
        Thing[] wide = Arrays.copyOf(row, 8);
        row = null;
        tick();
        System.arraycopy(wide, 0, wide, 3, 4);
        wide[2] = null;
        tick();
        sum += wide[5].get();
        Object made = Array.newInstance(Thing.class, 2);
        Array.set(made, 1, new Thing(14));
        tick();
        List<Thing> list = new ArrayList<>(List.of(new Thing(15), new Thing(16)));
        Thing[] copy = list.toArray(new Thing[0]);
        list.clear();
        tick();
        return sum + ((Thing) Array.get(made, 1)).get() + copy[1].get();
    }

    static int library() throws Exception {
        Thing thing = new Thing(17);
        thing.next = new Thing(18);
        Thing copy = thing.copy();
        thing = null;
        tick();
        int sum = copy.next.get();
        AtomicReference<Thing> reference = new AtomicReference<>(new Thing(19));
        reference.compareAndSet(reference.get(), new Thing(20));
        tick();
        sum += reference.getAndSet(new Thing(21)).get();
        AtomicReferenceArray<Thing> array = new AtomicReferenceArray<>(3);
        array.set(1, new Thing(22));
        tick();
        sum += array.get(1).get() + reference.get().get();
        Constructs holder = new Constructs();
        VarHandle handle = MethodHandles.lookup().findVarHandle(Constructs.class, "varied", Thing.class);
        handle.setVolatile(holder, new Thing(23));
        tick();
        sum += holder.varied.get();
        handle.compareAndSet(holder, holder.varied, new Thing(24));
        tick();
        sum += holder.varied.get();
        Field field = Constructs.class.getDeclaredField("varied");
        field.set(holder, new Thing(25));
        tick();
        return sum + holder.varied.get() + reflection();
    }

    static int reflection() throws Exception {
        Field field = Constructs.class.getDeclaredField("shared");
        field.set(null, new Thing(26));
        tick();
        int sum = shared.get();
        shared = null;
        Thing made = Thing.class.getDeclaredConstructor(int.class).newInstance(27);
        made.next = new Thing(28);
        tick();
        sum += made.next.get();
        Object proxy = Proxy.newProxyInstance(Constructs.class.getClassLoader(), new Class<?>[] {Weighed.class},
                (self, method, arguments) -> new Thing(29));
        sum += ((Weighed) proxy).thing().get();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(made);
        }
        made = null;
        Thing read = (Thing) new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
        tick();
        return sum + read.next.get();
    }

    static int lambdas() {
        Thing captured = new Thing(30);
        Supplier<Thing> supplier = () -> captured;
        tick();
        Supplier<Thing> constructor = () -> new Thing(31);
        Integer boxed = supplier.get().get() + 1000;
        String text = "sum " + boxed + constructor.get().get();
        tick();
        return text.length() + List.of(new Thing(32), new Thing(33)).stream().mapToInt(Thing::get).sum();
    }

    /** Loads this class once more. */
    static class Loader extends ClassLoader {
        Loader() {
            super(null);
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            try (InputStream file = Constructs.class.getResourceAsStream(name + ".class")) {
                byte[] bytes = file.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (Exception e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    static final Loader loader = new Loader();

    static int loaders() throws Exception {
        Class<?> again = Class.forName("Constructs", true, loader);
        var method = again.getDeclaredMethod("arrays");
        method.setAccessible(true);
        return (Integer) method.invoke(null);
    }

    static int threads() throws Exception {
        Thing[] results = new Thing[2];
        Thread thread = new Thread(() -> results[1] = new Thing(34));
        thread.start();
        thread.join();
        tick();
        return results[1].get();
    }

    public static void main(String[] arguments) throws Exception {
        System.out.println(language() + arrays() + library() + lambdas() + loaders() + threads());
    }
}
