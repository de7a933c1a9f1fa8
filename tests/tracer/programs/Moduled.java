/* SPDX-License-Identifier: MIT */
/** A program that is a module of JBoss Modules. */
public class Moduled {
    static Object[] kept = new Object[5];

    public static void main(String[] arguments) {
        kept[0] = new byte[10];
        System.out.println("ran " + kept.length + " in " + Moduled.class.getClassLoader().getClass().getSimpleName());
    }
}
