/* SPDX-License-Identifier: MIT */
import java.io.File;
import java.io.PrintStream;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.TreeMap;
import java.util.Map;
import org.graalvm.visualvm.lib.jfluid.heap.*;

/** Lists a heap dump as VisualVM's library reads it, in the lines of tests/property/hprof_list.c. */
class HeapSummary {
    /** HotSpot's name for what holds an int[0] until a class is initialized; JVMTI does not show these arrays. */
    static final String LOCK = "<init_lock>";

    /** Its name for what holds an array for the constants of a class. JVMTI shows the array only if the class has been
     * loaded before the walk over the heap, and shows an array of arrays that it keeps for classes not loaded yet. */
    static final String CONSTANTS = "<resolved_references>";

    /** In dumps of traces, the class whose static fields stand for holders that no class has, as the virtual machine. */
    static final String HOLDERS = "etmerlin.Static";

    public static void main(String[] files) throws Exception {
        PrintStream out = new PrintStream(new java.io.FileOutputStream(java.io.FileDescriptor.out), false);
        Heap heap = HeapFactory.createHeap(new File(files[0]));
        if (files.length > 2 && files[1].equals("without")) {
            printWithout(heap, files[2], out);
        } else if (files.length > 1 && files[1].equals("retained")) {
            for (JavaClass type : heap.getAllClasses())
                printRetained(type, out);
        } else if (files.length > 1) {
            printClasses(heap, out);
        } else {
            for (JavaClass type : heap.getAllClasses()) {
                printStatics(type, out);
                for (Instance instance : type.getInstances())
                    printInstance(instance, out);
            }
            for (GCRoot root : heap.getGCRoots())
                printRoot(root, out);
        }
        out.flush();
    }

    /** With "retained": what the objects in static fields retain, by the library's own dominators. */
    static void printRetained(JavaClass type, PrintStream out) {
        for (Object value : type.getStaticFieldValues())
            if (value instanceof ObjectFieldValue && ((ObjectFieldValue) value).getInstance() != null)
                out.println(((ObjectFieldValue) value).getField().getName() + " "
                            + ((ObjectFieldValue) value).getInstance().getRetainedSize());
    }

    /** With "without" and what names of classes begin with: objects and bytes of each class, of objects that roots
     * reach on ways without objects and static fields of such classes; without arrays of the virtual machine's own. */
    static void printWithout(Heap heap, String prefix, PrintStream out) {
        HashMap<Long, Instance> seen = new HashMap<>();
        ArrayDeque<Instance> found = new ArrayDeque<>();
        HashMap<Long, Instance> own = new HashMap<>();
        for (GCRoot root : heap.getGCRoots())
            reachFromMachine(root.getInstance(), prefix, own, seen, found);
        for (JavaClass type : heap.getAllClasses())
            if (!type.getName().startsWith(prefix))
                for (Object value : type.getStaticFieldValues())
                    if (value instanceof ObjectFieldValue)
                        reachStatic((ObjectFieldValue) value, prefix, own, seen, found);
        while (!found.isEmpty()) {
            Instance from = found.remove();
            if (from instanceof ObjectArrayInstance)
                for (Instance element : ((ObjectArrayInstance) from).getValues())
                    reach(element, prefix, seen, found);
            else if (!(from instanceof PrimitiveArrayInstance) && !from.getJavaClass().getName().equals("java.lang.Class"))
                for (FieldValue value : from.getFieldValues())
                    if (value instanceof ObjectFieldValue)
                        reach(((ObjectFieldValue) value).getInstance(), prefix, seen, found);
        }
        TreeMap<String, long[]> classes = new TreeMap<>();
        for (Instance instance : seen.values()) {
            long[] sums = classes.computeIfAbsent(instance.getJavaClass().getName(), name -> new long[2]);
            sums[0]++;
            sums[1] += instance.getSize();
        }
        classes.forEach((name, sums) -> out.println(name + " " + sums[0] + " " + sums[1]));
    }

    static void reachStatic(ObjectFieldValue value, String prefix, HashMap<Long, Instance> own,
                            HashMap<Long, Instance> seen, ArrayDeque<Instance> found) {
        String name = value.getField().getName();
        if (name.equals(CONSTANTS) || value.getField().getDeclaringClass().getName().equals(HOLDERS))
            reachFromMachine(value.getInstance(), prefix, own, seen, found);
        else if (!name.equals(LOCK))
            reach(value.getInstance(), prefix, seen, found);
    }

    /** Reaches what the virtual machine holds: its own arrays of objects, which are not counted, and what they hold. */
    static void reachFromMachine(Instance instance, String prefix, HashMap<Long, Instance> own,
                                 HashMap<Long, Instance> seen, ArrayDeque<Instance> found) {
        ArrayDeque<Instance> arrays = new ArrayDeque<>();
        if (instance != null)
            arrays.add(instance);
        while (!arrays.isEmpty()) {
            Instance next = arrays.remove();
            if (!(next instanceof ObjectArrayInstance) || !next.getJavaClass().getName().equals("java.lang.Object[]"))
                reach(next, prefix, seen, found);
            else if (own.put(next.getInstanceId(), next) == null)
                for (Instance element : ((ObjectArrayInstance) next).getValues())
                    if (element != null)
                        arrays.add(element);
        }
    }

    static void reach(Instance instance, String prefix, HashMap<Long, Instance> seen, ArrayDeque<Instance> found) {
        if (instance != null && !instance.getJavaClass().getName().startsWith(prefix)
            && seen.put(instance.getInstanceId(), instance) == null)
            found.add(instance);
    }

    /** With another second argument: objects and bytes of each class. */
    static void printClasses(Heap heap, PrintStream out) {
        for (JavaClass type : heap.getAllClasses())
            if (type.getInstancesCount() > 0)
                out.println(type.getName() + " " + type.getInstancesCount() + " " + type.getAllInstancesSize());
    }

    static void printStatics(JavaClass type, PrintStream out) {
        for (Object value : type.getStaticFieldValues())
            if (value instanceof ObjectFieldValue) {
                ObjectFieldValue field = (ObjectFieldValue) value;
                if (field.getInstance() != null && !field.getField().getName().startsWith("<"))
                    out.println("static " + type.getName() + " " + field.getField().getName() + " "
                                + idOf(field.getInstance()));
            }
    }

    /** The id of an object, which has all 64 bits. */
    static String idOf(Instance instance) {
        return Long.toUnsignedString(instance.getInstanceId());
    }

    static void printReference(Instance from, Object field, Instance to, PrintStream out) {
        if (to != null)
            out.println("reference " + idOf(from) + " " + field + " " + idOf(to));
    }

    static void printInstance(Instance instance, PrintStream out) {
        String type = instance.getJavaClass().getName();
        String id = idOf(instance);
        if (instance instanceof PrimitiveArrayInstance) {
            out.println("primitives " + id + " " + type + " " + ((PrimitiveArrayInstance) instance).getLength());
        } else if (instance instanceof ObjectArrayInstance) {
            ObjectArrayInstance array = (ObjectArrayInstance) instance;
            out.println("array " + id + " " + type + " " + array.getLength());
            int index = 0;
            for (Instance element : array.getValues())
                printReference(instance, index++, element, out);
        } else {
            out.println("object " + id + " " + type + " " + instance.getSize());
            for (FieldValue value : instance.getFieldValues())
                if (value instanceof ObjectFieldValue)
                    printReference(instance, value.getField().getName(), ((ObjectFieldValue) value).getInstance(), out);
        }
    }

    static void printRoot(GCRoot root, PrintStream out) {
        String id = root.getInstance() == null ? "0" : idOf(root.getInstance());
        if (root instanceof JavaFrameGCRoot) {
            JavaFrameGCRoot frame = (JavaFrameGCRoot) root;
            ThreadObjectGCRoot thread = frame.getThreadGCRoot();
            StackTraceElement[] trace = thread.getStackTrace();
            int number = frame.getFrameNumber();
            out.println("root frame " + id + " " + number
                        + (number < 0 ? "" : " " + trace[number].getClassName() + " " + trace[number].getMethodName()));
        } else {
            out.println("root " + root.getKind() + " " + id);
        }
    }
}
