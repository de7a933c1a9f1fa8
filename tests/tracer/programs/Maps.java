/* SPDX-License-Identifier: MIT */
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;

/** Maps of each kind, which grow, lose entries and are dropped; keys of one of them go by themselves. */
public class Maps {
    private static final int ENTRIES = 20;

    /** A key; many keys have the same hash. */
    static class Key implements Comparable<Key> {
        private final int number;

        Key(int number) {
            this.number = number;
        }

        @Override
        public int hashCode() {
            return number % 3;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key && ((Key) other).number == number;
        }

        @Override
        public int compareTo(Key other) {
            return Integer.compare(number, other.number);
        }
    }

    /** The value of a key. */
    static class Value {
        Value[] held = new Value[1];
    }

    private static Map<Key, Value> kept;

    static void fill(Map<Key, Value> map) {
        Value last = null;
        for (int i = 0; i < ENTRIES; i++) {
            Value value = new Value();
            value.held[0] = last;
            last = i % 4 == 0 ? null : value;
            map.put(new Key(i), value);
        }
    }

    static void thin(Map<Key, Value> map) {
        for (int i = 0; i < ENTRIES; i += 2) {
            map.remove(new Key(i));
        }
    }

    static int use(Map<Key, Value> map) {
        kept = map;
        fill(map);
        thin(map);
        map.computeIfAbsent(new Key(ENTRIES), key -> new Value());
        int count = map.size();
        kept = null;
        return count;
    }

    public static void main(String[] arguments) {
        System.out.println(use(new HashMap<>()));
        System.out.println(use(new LinkedHashMap<>()));
        System.out.println(use(new TreeMap<>()));
        System.out.println(use(new ConcurrentHashMap<>()));
        Map<Key, Value> weak = new WeakHashMap<>();
        fill(weak);
        thin(weak);
    }
}
