/* SPDX-License-Identifier: MIT */
import java.io.InputStream;

/**
 * A class that its loader defines without giving its name; a class that gets two fields of one name when "same2" is
 * replaced by "same1" in its file, and one that gets methods called clone, which copy nothing, when "clonx" and "clony"
 * are; an array of two dimensions; and a call of another method main.
 */
public class Nameless extends ClassLoader {
    public static class Inside implements Runnable {
        @Override
        public void run() {
            System.out.println("run");
        }
    }

    static class Two {
        Object same1;
        String same2;
    }

    static class Odd {
        int clonx() {
            return 1;
        }

        void clony() {
        }
    }

    static class Other {
        public static void main(String[] arguments) {
        }
    }

    static Two two = new Two();
    static int[][] grid;

    @SuppressWarnings("deprecation")
    public static void main(String[] arguments) throws Exception {
        try (InputStream file = Nameless.class.getResourceAsStream("Nameless$Inside.class")) {
            byte[] bytes = file.readAllBytes();
            Class<?> inside = new Nameless().defineClass(null, bytes, 0, bytes.length);
            ((Runnable) inside.getConstructor().newInstance()).run();
        }
        two.same1 = new Object();
        two.same2 = new String("two");
        grid = new int[2][3];
        Odd odd = new Odd();
        odd.clony();
        System.out.println(odd.clonx());
        Other.main(new String[5]);
    }
}
