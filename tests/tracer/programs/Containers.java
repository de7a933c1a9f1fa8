/* SPDX-License-Identifier: MIT */
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Objects that the library holds for the program: they are put somewhere, some methods run, and they are
 * taken out again. If a store in the library is not recorded, an object dies too early in the trace.
 */
public class Containers {
    static class Thing implements Comparable<Thing> {
        final int number;

        Thing(int number) {
            this.number = number;
        }

        int get() {
            return number;
        }

        @Override
        public int compareTo(Thing other) {
            return Integer.compare(number, other.number);
        }
    }

    static final ThreadLocal<Thing> local = new ThreadLocal<>();

    static void tick() {}

    static int maps(Map<Object, Thing> map) {
        for (int i = 0; i < 20; i++) {
            map.put(i, new Thing(i));
        }
        tick();
        int sum = map.get(3).get() + map.get(17).get();
        map.put(3, new Thing(30));
        map.remove(17);
        tick();
        return sum + map.get(3).get();
    }

    static int queues() {
        LinkedList<Thing> list = new LinkedList<>();
        ArrayDeque<Thing> deque = new ArrayDeque<>();
        PriorityQueue<Thing> heap = new PriorityQueue<>();
        ConcurrentLinkedQueue<Thing> linked = new ConcurrentLinkedQueue<>();
        CopyOnWriteArrayList<Thing> copied = new CopyOnWriteArrayList<>();
        for (int i = 20; i > 0; i--) {
            list.addFirst(new Thing(i));
            deque.addLast(new Thing(i));
            heap.add(new Thing(i));
            linked.add(new Thing(i));
            copied.add(new Thing(i));
        }
        tick();
        int sum = list.removeLast().get() + deque.removeFirst().get() + heap.remove().get() + linked.remove().get();
        copied.remove(4);
        Collections.reverse(list);
        tick();
        return sum + list.get(2).get() + deque.peekLast().get() + heap.peek().get() + copied.get(5).get();
    }

    static int references() {
        Thing strong = new Thing(1);
        WeakReference<Thing> weak = new WeakReference<>(strong);
        SoftReference<Thing> soft = new SoftReference<>(new Thing(2));
        local.set(new Thing(3));
        tick();
        int sum = weak.get().get() + soft.get().get() + local.get().get();
        local.remove();
        strong = null;
        tick();
        return sum;
    }

    static int handles() throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodHandle make = lookup.findConstructor(Thing.class, MethodType.methodType(void.class, int.class));
        MethodHandle get = lookup.findVirtual(Thing.class, "get", MethodType.methodType(int.class));
        Thing made = (Thing) make.invokeExact(4);
        tick();
        return (int) get.invokeExact(made);
    }

    static int streams() {
        List<Thing> sorted = Stream.of(3, 1, 2).map(Thing::new).sorted().collect(Collectors.toList());
        tick();
        Map<Boolean, List<Thing>> parts = sorted.stream().collect(Collectors.partitioningBy(t -> t.get() > 1));
        sorted = null;
        tick();
        return parts.get(true).get(1).get();
    }

    static int executors() throws Exception {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        Future<Thing> future = executor.submit(() -> new Thing(5));
        int sum = future.get().get();
        sum += CompletableFuture.supplyAsync(() -> new Thing(6), executor).thenApply(Thing::get).get();
        executor.shutdown();
        tick();
        return sum;
    }

    public static void main(String[] arguments) throws Throwable {
        int sum = maps(new HashMap<>()) + maps(new TreeMap<>()) + maps(new IdentityHashMap<>());
        sum += maps(new ConcurrentHashMap<>()) + maps(new WeakHashMap<>());
        System.out.println(sum + queues() + references() + handles() + streams() + executors());
    }
}
