/* SPDX-License-Identifier: MIT */
/**
 * Makes the virtual machine load classes whose objects no code meets, if the boot loader defines them: another one puts
 * those into a list.
 */
public class Unmet {
    public interface Named {
        String NAME = "a name that code has as a constant of its own";

        default String name() {
            return "a default method, so that the interface is initialized";
        }
    }

    public static class Above {
        static final String TEXT = "a constant beside a field that is empty";
        static String empty;
        long a, b, c;
    }

    public static class Made extends Above implements Named {
        static final String OWN = "a constant beside what an initializer stores";
        static final Object[] STORED = new Object[7];
    }

    static Object made;

    static void load() {
        made = new Made();
    }

    public static void main(String[] arguments) {
        load();
        System.out.println(made != null);
    }
}
