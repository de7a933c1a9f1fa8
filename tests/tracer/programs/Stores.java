/* SPDX-License-Identifier: MIT */
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Externalizable;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.invoke.LambdaMetafactory;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.MutableCallSite;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Supplier;

/**
 * Chains of objects that no instruction links. Each way to store has its own class: if a store is not recorded, objects
 * of that class seem dead; if it is one that cuts a chain, they seem alive.
 */
public class Stores {
    private static final int LENGTH = 60;
    private static final List<Object> KEPT = new ArrayList<>();
    private static int calls;

    /** A way to link an object to the next one. */
    interface Link<N> {
        void set(N from, Object to) throws Throwable;

        Object get(N from) throws Throwable;
    }

    abstract static class Node {
        volatile Object next;

        public void setNext(Object to) {
            next = to;
        }
    }

    abstract static class Row {
        final Object[] cells = new Object[3];
    }

    static class FieldSet extends Node {}

    static class FieldFinal {
        final Object next = null;
    }

    static class FieldStatic extends Node {}

    static class Invoked extends Node {}

    static class InvokedCopy extends Row {}

    static class InvokedSet extends Row {}

    static class InvokedUnsafe extends Node {}

    static class ArraySet extends Row {}

    static class VarField extends Node {}

    static class VarModes extends Node {}

    static class VarStatic extends Node {}

    static class VarArray extends Row {}

    static class HandleField extends Node {}

    static class HandleStatic extends Node {}

    static class HandleArray extends Row {}

    static class HandleCopy extends Row {}

    static class HandleSet extends Row {}

    static class HandleUnsafe extends Node {}

    static class Targeted {
        final MutableCallSite next = new MutableCallSite(MethodHandles.constant(Object.class, null));
    }

    /** Held only by a lambda that a call site makes without an instruction of its own. */
    static class Captured extends Node {}

    static class Updated extends Node {}

    static class Referred {
        final AtomicReference<Object> next = new AtomicReference<>();
    }

    static class Listed {
        final AtomicReferenceArray<Object> cells = new AtomicReferenceArray<>(2);
    }

    static class SunUnsafe extends Node {}

    static class SunStatic extends Node {}

    static class OwnUnsafe extends Node {}

    static class OwnModes extends Node {}

    static class OwnArray extends Row {}

    static class Copied extends Row {}

    static class Part extends Node {}

    static class Cloned extends Row implements Cloneable {
        Object part = new Part();

        @Override
        protected Cloned clone() throws CloneNotSupportedException {
            return (Cloned) super.clone();
        }
    }

    static class Read implements Serializable {
        private static final long serialVersionUID = 1;
        Object next;
    }

    record Recorded(Object next) implements Serializable {}

    public static class External implements Externalizable {
        private static final long serialVersionUID = 1;
        Object next;

        @Override
        public void writeExternal(ObjectOutput out) throws java.io.IOException {
            out.writeObject(next);
        }

        @Override
        public void readExternal(ObjectInput in) throws java.io.IOException, ClassNotFoundException {
            next = in.readObject();
        }
    }

    static class NativeField extends Node {}

    static class NativeStatic extends Node {}

    static class NativeArray extends Row {}

    static class NativeGlobal extends Node {}

    static Object forField;
    static volatile Object forVar;
    static Object forHandle;
    static Object forSun;
    static Object forNative;

    static native void setField(Object object, Object value);

    static native void setStatic(Object value);

    static native void setElement(Object[] array, int index, Object value);

    static native void keep(Object value);

    static native void drop();

    static void tick() {
        calls++;
    }

    /** Links objects so that only the first is held, and then cuts off the last third. */
    @SuppressWarnings("unchecked")
    private static <N> void chain(Supplier<N> maker, Link<? super N> link) throws Throwable {
        N first = maker.get();
        for (int i = 1; i < LENGTH; i++) {
            N made = maker.get();
            link.set(made, link.get(first));
            link.set(first, made);
        }
        KEPT.add(first);
        Object at = first;
        for (int i = 0; i < LENGTH * 2 / 3; i++) {
            at = link.get((N) at);
        }
        link.set((N) at, null);
    }

    interface Setter<N> {
        void set(N from, Object to) throws Throwable;
    }

    private static <N extends Node> void chainNodes(Supplier<N> maker, Setter<? super N> setter) throws Throwable {
        chain(maker, new Link<N>() {
            @Override
            public void set(N from, Object to) throws Throwable {
                setter.set(from, to);
            }

            @Override
            public Object get(N from) {
                return from.next;
            }
        });
    }

    private static <N extends Row> void chainRows(Supplier<N> maker, Setter<Object[]> setter) throws Throwable {
        chain(maker, new Link<N>() {
            @Override
            public void set(N from, Object to) throws Throwable {
                setter.set(from.cells, to);
            }

            @Override
            public Object get(N from) {
                return from.cells[1];
            }
        });
    }

    /** A static field holds one object after the other, so all but the last one are dead. */
    private static <N> void replace(Supplier<N> maker, Setter<Object> setter) throws Throwable {
        for (int i = 0; i < LENGTH; i++) {
            setter.set(null, maker.get());
        }
    }

    private static void reflection() throws Throwable {
        Field next = Node.class.getDeclaredField("next");
        chainNodes(FieldSet::new, next::set);
        Field last = FieldFinal.class.getDeclaredField("next");
        last.setAccessible(true);
        chain(FieldFinal::new, new Link<FieldFinal>() {
            @Override
            public void set(FieldFinal from, Object to) throws Throwable {
                last.set(from, to);
            }

            @Override
            public Object get(FieldFinal from) throws Throwable {
                return last.get(from);
            }
        });
        replace(FieldStatic::new, Stores.class.getDeclaredField("forField")::set);
        Method setter = Node.class.getMethod("setNext", Object.class);
        chainNodes(Invoked::new, setter::invoke);
        Method copy = System.class.getMethod("arraycopy", Object.class, int.class, Object.class, int.class, int.class);
        chainRows(InvokedCopy::new, (cells, to) -> copy.invoke(null, new Object[] {null, to}, 1, cells, (short) 1, 1));
        Method set = Array.class.getMethod("set", Object.class, int.class, Object.class);
        chainRows(InvokedSet::new, (cells, to) -> set.invoke(null, cells, 1, to));
        chainRows(ArraySet::new, (cells, to) -> Array.set(cells, 1, to));
    }

    /** Stores of boxed numbers into an array of primitives and a primitive field. */
    private static void boxes() throws Exception {
        double[] numbers = new double[LENGTH];
        float[][] rows = new float[2][LENGTH];
        Method set = Array.class.getMethod("set", Object.class, int.class, Object.class);
        for (int i = 0; i < LENGTH; i++) {
            Array.set(numbers, i, i + 0.5);
            set.invoke(null, rows[1], i, i + 0.5f);
        }
        KEPT.add(numbers);
        KEPT.add(rows);
    }

    private static void handles() throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        VarHandle next = lookup.findVarHandle(Node.class, "next", Object.class);
        chainNodes(VarField::new, (from, to) -> next.set((Node) from, to));
        chainNodes(VarModes::new, (from, to) -> change(next, from, to));
        VarHandle shared = lookup.findStaticVarHandle(Stores.class, "forVar", Object.class);
        replace(VarStatic::new, (from, to) -> shared.setVolatile(to));
        VarHandle element = MethodHandles.arrayElementVarHandle(Object[].class);
        chainRows(VarArray::new, (cells, to) -> element.setRelease(cells, 1, to));
        MethodHandle setter = lookup.findSetter(Node.class, "next", Object.class);
        chainNodes(HandleField::new, (from, to) -> setter.invoke(from, to));
        MethodHandle all = lookup.findStaticSetter(Stores.class, "forHandle", Object.class);
        replace(HandleStatic::new, (from, to) -> all.invoke(to));
        MethodHandle elements = MethodHandles.arrayElementSetter(Object[].class);
        chainRows(HandleArray::new, (cells, to) -> {
            elements.invokeExact(cells, 1, to);
        });
        MethodHandle copy = lookup.findStatic(System.class, "arraycopy", MethodType.methodType(void.class,
                Object.class, int.class, Object.class, int.class, int.class));
        chainRows(HandleCopy::new, (cells, to) -> copy.invoke(new Object[] {to}, 0, cells, 1, 1));
        MethodHandle set = lookup.findStatic(Array.class, "set",
                MethodType.methodType(void.class, Object.class, int.class, Object.class));
        chainRows(HandleSet::new, (cells, to) -> set.invoke((Object) cells, 1, to));
        chain(Targeted::new, new Link<>() {
            @Override
            public void set(Targeted from, Object to) {
                from.next.setTarget(MethodHandles.constant(Object.class, to));
            }

            @Override
            public Object get(Targeted from) throws Throwable {
                return from.next.getTarget().invoke();
            }
        });
        MethodHandle captures = LambdaMetafactory.metafactory(lookup, "get",
                MethodType.methodType(Supplier.class, Captured.class), MethodType.methodType(Object.class),
                lookup.findStatic(Stores.class, "itself", MethodType.methodType(Object.class, Captured.class)),
                MethodType.methodType(Object.class)).getTarget();
        for (int i = 0; i < LENGTH; i++) {
            KEPT.add((Supplier<?>) captures.invoke(new Captured()));
        }
    }

    private static Object itself(Captured captured) {
        return captured;
    }

    /** Stores in every way that a variable handle has. */
    private static void change(VarHandle next, Node from, Object to) {
        Object old = next.getAcquire(from);
        switch (calls++ % 8) {
            case 0 -> next.compareAndSet(from, old, to);
            case 1 -> next.getAndSet(from, to);
            case 2 -> next.setVolatile(from, to);
            case 3 -> next.setOpaque(from, to);
            case 4 -> next.compareAndExchange(from, old, to);
            case 5 -> next.setRelease(from, to);
            case 6 -> next.getAndSetRelease(from, to);
            default -> {
                while (!next.weakCompareAndSet(from, old, to)) { }
            }
        }
    }

    private static void atomics() throws Throwable {
        AtomicReferenceFieldUpdater<Node, Object> updater =
                AtomicReferenceFieldUpdater.newUpdater(Node.class, Object.class, "next");
        chainNodes(Updated::new, (from, to) -> {
            switch (calls++ % 3) {
                case 0 -> updater.set(from, to);
                case 1 -> updater.lazySet(from, to);
                default -> updater.compareAndSet(from, from.next, to);
            }
        });
        chain(Referred::new, new Link<Referred>() {
            @Override
            public void set(Referred from, Object to) {
                switch (calls++ % 3) {
                    case 0 -> from.next.getAndSet(to);
                    case 1 -> from.next.updateAndGet(old -> to);
                    default -> from.next.setPlain(to);
                }
            }

            @Override
            public Object get(Referred from) {
                return from.next.get();
            }
        });
        chain(Listed::new, new Link<Listed>() {
            @Override
            public void set(Listed from, Object to) {
                switch (calls++ % 3) {
                    case 0 -> from.cells.set(1, to);
                    case 1 -> from.cells.lazySet(1, to);
                    default -> from.cells.accumulateAndGet(1, to, (old, other) -> other);
                }
            }

            @Override
            public Object get(Listed from) {
                return from.cells.get(1);
            }
        });
    }

    @SuppressWarnings({"deprecation", "removal"})
    private static void sunUnsafe() throws Throwable {
        Field only = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
        only.setAccessible(true);
        sun.misc.Unsafe unsafe = (sun.misc.Unsafe) only.get(null);
        long next = unsafe.objectFieldOffset(Node.class.getDeclaredField("next"));
        chainNodes(SunUnsafe::new, (from, to) -> {
            switch (calls++ % 5) {
                case 0 -> unsafe.putObject(from, next, to);
                case 1 -> unsafe.putOrderedObject(from, next, to);
                case 2 -> unsafe.putObjectVolatile(from, next, to);
                case 3 -> unsafe.compareAndSwapObject(from, next, from.next, to);
                default -> unsafe.getAndSetObject(from, next, to);
            }
        });
        Field shared = Stores.class.getDeclaredField("forSun");
        replace(SunStatic::new, (from, to) ->
                unsafe.putObject(unsafe.staticFieldBase(shared), unsafe.staticFieldOffset(shared), to));
        Method put = sun.misc.Unsafe.class.getMethod("putObject", Object.class, long.class, Object.class);
        chainNodes(InvokedUnsafe::new, (from, to) -> put.invoke(unsafe, from, next, to));
    }

    private static void ownUnsafe() throws Throwable {
        jdk.internal.misc.Unsafe unsafe = jdk.internal.misc.Unsafe.getUnsafe();
        long next = unsafe.objectFieldOffset(Node.class, "next");
        chainNodes(OwnUnsafe::new, (from, to) -> unsafe.putReference(from, next, to));
        chainNodes(OwnModes::new, (from, to) -> {
            switch (calls++ % 5) {
                case 0 -> unsafe.putReferenceRelease(from, next, to);
                case 1 -> unsafe.putReferenceVolatile(from, next, to);
                case 2 -> unsafe.compareAndSetReference(from, next, from.next, to);
                case 3 -> unsafe.compareAndExchangeReference(from, next, from.next, to);
                default -> unsafe.getAndSetReference(from, next, to);
            }
        });
        long element = unsafe.arrayBaseOffset(Object[].class) + unsafe.arrayIndexScale(Object[].class);
        chainRows(OwnArray::new, (cells, to) -> unsafe.putReference(cells, element, to));
        Class<?> type = jdk.internal.misc.Unsafe.class;
        MethodHandle put = MethodHandles.lookup().findVirtual(type, "putReference",
                MethodType.methodType(void.class, Object.class, long.class, Object.class));
        chainNodes(HandleUnsafe::new, (from, to) -> put.invoke(unsafe, from, next, to));
    }

    private static void copies() throws Throwable {
        chainRows(Copied::new, (cells, to) -> System.arraycopy(new Object[] {to, null}, 0, cells, 1, 2));
        for (int i = 0; i < LENGTH; i++) {
            Cloned original = new Cloned();
            original.cells[0] = new Cloned().clone();
            Cloned copy = original.clone();
            copy.cells[0] = original.cells.clone();
            KEPT.add(copy);
        }
    }

    private static Object again(Object object) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new ObjectOutputStream(bytes).writeObject(object);
        return new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
    }

    private static void reading() throws Exception {
        Object root = null;
        for (int i = 0; i < LENGTH; i++) {
            Read read = new Read();
            External external = new External();
            read.next = new Recorded(external);
            external.next = root;
            root = read;
        }
        KEPT.add(again(root));
    }

    private static void natives() throws Throwable {
        chainNodes(NativeField::new, Stores::setField);
        replace(NativeStatic::new, (from, to) -> setStatic(to));
        chainRows(NativeArray::new, (cells, to) -> setElement(cells, 1, to));
        for (int i = 0; i < LENGTH; i++) {
            keep(new NativeGlobal());
            if (i % 2 == 0) {
                drop();
            }
        }
    }

    /** The argument is a library with the native methods. */
    public static void main(String[] arguments) throws Throwable {
        System.load(arguments[0]);
        reflection();
        boxes();
        handles();
        atomics();
        sunUnsafe();
        ownUnsafe();
        copies();
        reading();
        natives();
        for (int i = 0; i < 3000; i++) {
            tick();
        }
        System.out.println(KEPT.size());
    }
}
