/* SPDX-License-Identifier: MIT */
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** What native code may call holds an object. For JDK 22 or later. */
public class Called {
    private static MemorySegment stub;
    private static int calls;

    static class Held {}

    static int number(Held held) {
        return held.hashCode();
    }

    static void tick() {
        calls++;
    }

    public static void main(String[] arguments) throws ReflectiveOperationException {
        MethodHandle number = MethodHandles.lookup().findStatic(Called.class, "number",
                MethodType.methodType(int.class, Held.class));
        stub = Linker.nativeLinker().upcallStub(MethodHandles.insertArguments(number, 0, new Held()),
                FunctionDescriptor.of(ValueLayout.JAVA_INT), Arena.global());
        for (int i = 0; i < 1000; i++) {
            tick();
        }
        System.out.println(stub != null);
    }
}
