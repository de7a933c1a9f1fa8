/* SPDX-License-Identifier: MIT */
/** Code that stores into fields of superclasses, none of which is ever loaded: the tracer has to read their files. */
public class Asked {
    /** Declares the field. */
    static class High {
        Object kept;
    }

    /** Inherits it. */
    static class Low extends High {}

    /** Inherits it from a class that does so. */
    static class Lower extends Low {}

    /** Is loaded when the trace has begun. */
    static class Later {
        static void store(Object wanted) {
            if (wanted == null) {
                new Low().kept = "low";
                new Lower().kept = "lower";
            }
        }
    }

    public static void main(String[] arguments) {
        Later.store(arguments);
        System.out.println("done");
    }
}
