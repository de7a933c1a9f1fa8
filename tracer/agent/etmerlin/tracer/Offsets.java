/* SPDX-License-Identifier: MIT */
package etmerlin.tracer;

/**
 * How this virtual machine lays out an array of references, for stores that tell an offset. Only
 * a class that compilers warn of knows it, so it is asked by name.
 */
final class Offsets {
    private Offsets() {}

    private static int constant(String name) throws ReflectiveOperationException {
        return Class.forName("sun.misc.Unsafe").getField(name).getInt(null);
    }

    static int base() throws ReflectiveOperationException {
        return constant("ARRAY_OBJECT_BASE_OFFSET");
    }

    static int scale() throws ReflectiveOperationException {
        return constant("ARRAY_OBJECT_INDEX_SCALE");
    }
}
