/* SPDX-License-Identifier: MIT */
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;

/** A method handle as an instance of an interface: newer JDKs make a module for it, whose classes are all hidden. */
public class Handed {
    public interface Echo {
        Object of(Object what);
    }

    public static void main(String[] arguments) {
        MethodHandle same = MethodHandles.identity(Object.class);
        System.out.println(MethodHandleProxies.asInterfaceInstance(Echo.class, same).of("heard"));
    }
}
