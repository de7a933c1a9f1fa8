/* SPDX-License-Identifier: MIT */
import java.io.File;
import java.lang.reflect.Method;

/** Objects that native code and the virtual machine make, and that no instruction ever names. */
public class Natives {
    private static int number = 1000;

    public static int next() {
        return ++number;
    }

    /** Native code lists a folder in arrays of 16, 32 and 64 names, and copies them into the result. */
    private static int list(String folder) {
        return new File(folder).list().length;
    }

    /** The virtual machine stores each result in an Integer, which nothing reads. */
    private static void call(int times) throws Exception {
        Method method = Natives.class.getMethod("next");
        for (int i = 0; i < times; i++) {
            method.invoke(null);
        }
    }

    public static void main(String[] arguments) throws Exception {
        int found = list(arguments[0]);
        call(10);
        System.out.println(found + " " + number);
    }
}
