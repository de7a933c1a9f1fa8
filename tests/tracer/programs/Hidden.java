/* SPDX-License-Identifier: MIT */
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;

/** Stores by method handles, and by a hidden class: the virtual machine reports neither to agents. */
public class Hidden {
    static class Thing {
        Thing next;
        final int number;

        Thing(int number) {
            this.number = number;
        }

        int get() {
            return number;
        }
    }

    /** Defined as a hidden class, too. */
    static class Keeper implements Runnable {
        Thing held;
        final Object[] row = new Object[2];

        @Override
        public void run() {
            if (held == null) {
                held = new Thing(8);
                row[1] = new Thing(9);
                return;
            }
            Thing more = new Thing(10);
            more.next = new Thing(11);
            held.next = more;
            tick();
            row[0] = new Thing(12);
            tick();
            System.out.println(held.next.next.get() + ((Thing) row[1]).get() + ((Thing) row[0]).get());
        }
    }

    static Thing shared;

    static void tick() {}

    static int setters(Lookup lookup) throws Throwable {
        MethodHandle next = lookup.findSetter(Thing.class, "next", Thing.class);
        MethodHandle all = lookup.findStaticSetter(Hidden.class, "shared", Thing.class);
        MethodHandle element = MethodHandles.arrayElementSetter(Thing[].class);
        Thing thing = new Thing(1);
        Thing[] array = new Thing[2];
        tick();
        next.invokeExact(thing, new Thing(2));
        tick();
        all.invokeExact(new Thing(3));
        tick();
        element.invokeExact(array, 1, new Thing(4));
        tick();
        return thing.next.get() + shared.get() + array[1].get();
    }

    static int makers(Lookup lookup) throws Throwable {
        MethodHandle maker = lookup.findConstructor(Thing.class, MethodType.methodType(void.class, int.class));
        MethodHandle collector = MethodHandles.identity(Object[].class).asCollector(Object[].class, 2);
        Thing made = (Thing) maker.invokeExact(5);
        tick();
        Object[] both = (Object[]) collector.invokeExact((Object) new Thing(6), (Object) new Thing(7));
        tick();
        return made.get() + ((Thing) both[1]).get();
    }

    static Runnable keeper(Lookup lookup) throws Exception {
        byte[] file = Hidden.class.getResourceAsStream("Hidden$Keeper.class").readAllBytes();
        return (Runnable) lookup.defineHiddenClass(file, true, Lookup.ClassOption.NESTMATE).lookupClass()
                .getDeclaredConstructor().newInstance();
    }

    public static void main(String[] arguments) throws Throwable {
        Lookup lookup = MethodHandles.lookup();
        System.out.println(setters(lookup) + makers(lookup));
        Runnable keeper = keeper(lookup);
        tick();
        keeper.run();
        tick();
        keeper.run();
        tick();
    }
}
