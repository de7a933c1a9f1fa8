/* SPDX-License-Identifier: MIT */
import java.io.IOException;
import java.io.StringReader;

/** Variables that lose their references in ways that the types of a method hardly show. */
public class Slots {
    /** A long takes the place of two references. */
    static long wide(int n) {
        {
            String a = "a" + n;
            String b = "b" + n;
            System.out.println(a + b);
        }
        long t = n;
        return t + 1;
    }

    /** The reference in the upper of the two variables is lost before a jump. */
    static double widened(int n) {
        double sum = 0;
        for (int i = 0; i < n; i++) {
            if (i % 2 == 0) {
                Object a = new Object[] {sum};
                Object b = new Object[] {a};
                sum += b.hashCode() == 0 ? 1 : 0;
            } else {
                double square = i * i;
                sum += square;
            }
        }
        return sum;
    }

    /** The range of the handler ends with a store, in the variable that held a reference. */
    static boolean handled(String text) {
        try (StringReader reader = new StringReader(text)) {
            Object first = reader.read();
            System.out.println(first);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        boolean found;
        try {
            Class.forName(text);
            found = true;
        } catch (ClassNotFoundException e) {
            found = false;
        } catch (LinkageError e) {
            found = true;
        }
        return found;
    }

    public static void main(String[] args) {
        System.out.println(wide(args.length));
        System.out.println(widened(args.length + 600));
        System.out.println(handled("java.lang.Object") + " " + handled("no.such.Class"));
    }
}
