/* SPDX-License-Identifier: MIT */
package etmerlin.tracer;

import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The Java part of the tracer. It instruments classes as they are loaded, and at first those that are
 * loaded already, in groups: the virtual machine fails if they come all at once, and after each group it
 * goes over all its code. Classes that are loaded while the agent transforms others are not offered to it,
 * so it asks for new ones until there are none.
 */
public final class Agent {
    static final String OWN = "etmerlin/tracer/";
    private static final int AT_ONCE = 64;

    private static volatile Agent running;

    private final Instrumenter instrumenter;
    private final Scope scope;

    private Agent(Scope scope, Level level) {
        this.scope = scope;
        instrumenter = new Instrumenter(level);
    }

    /** Called by native code before main. */
    private static void start() {
        if (!Names.bind()) {
            return;
        }
        Names.suspend(1);
        try {
            loadIterator();
            Probes.bind();
            Cache.bind();
            JdkFiles.start();
            Level level = Level.of(Names.setting("records"));
            Scope scope = new Scope(Names.setting("include"), Names.setting("exclude"), level.libraries);
            Agent agent = new Agent(scope, level);
            running = agent;
            boolean isKnown = Needed.load();
            if (isKnown) {
                agent.instrumenter.takeKept();
            }
            if (!Names.offer()) {
                Names.refuse("The virtual machine does not offer classes to the tracer");
            }
            Needed needed = agent.retransformLoaded();
            if (!isKnown) {
                needed.keep();
                agent.instrumenter.takeKept();
            }
        } catch (Throwable e) {
            Names.refuse("The tracer cannot begin: " + e);
        } finally {
            Names.suspend(-1);
        }
        Names.start();
    }

    /**
     * Has the JDK load the iterator of lists, which the agent needs to instrument any class, that of the iterator
     * included. Without an archive of classes, as in an image of modules, nothing may have loaded it so far.
     */
    private static void loadIterator() {
        new ArrayList<>().iterator();
    }

    /**
     * Transforms the classes that are loaded. Returns those that were loaded meanwhile, as instrumenting needs them.
     */
    private Needed retransformLoaded() {
        Set<Class<?>> done = new HashSet<>();
        Needed needed = new Needed();
        List<Class<?>> fresh = newlyLoaded(done);
        for (Class<?> loaded : fresh) {
            needed.addEarlier(loaded);
        }
        while (!fresh.isEmpty()) {
            retransformWanted(fresh);
            fresh = newlyLoaded(done);
            for (Class<?> loaded : fresh) {
                needed.add(loaded);
            }
        }
        return needed;
    }

    private static List<Class<?>> newlyLoaded(Set<Class<?>> done) {
        List<Class<?>> fresh = new ArrayList<>();
        for (Class<?> loaded : Names.loaded()) {
            if (done.add(loaded)) {
                fresh.add(loaded);
            }
        }
        return fresh;
    }

    private void retransformWanted(List<Class<?>> loaded) {
        List<Class<?>> wanted = new ArrayList<>();
        for (Class<?> one : loaded) {
            if (isWanted(one)) {
                wanted.add(one);
            }
        }
        for (int from = 0; from < wanted.size(); from += AT_ONCE) {
            retransform(wanted.subList(from, Math.min(from + AT_ONCE, wanted.size())));
        }
    }

    private boolean isWanted(Class<?> loaded) {
        return !loaded.isArray() && !loaded.isHidden() && Names.isModifiable(loaded)
                && scope.of(loaded.getClassLoader(), internalName(loaded)) != Scope.Treatment.NONE;
    }

    private static String internalName(Class<?> loaded) {
        return loaded.getName().replace('.', '/');
    }

    /** If one of the classes fails, none is transformed; then they are tried one by one. */
    private static void retransform(List<Class<?>> loaded) {
        String error = Names.retransform(loaded.toArray(new Class<?>[0]));
        if (error != null && loaded.size() == 1) {
            Names.problem("class " + internalName(loaded.get(0)) + ": " + error);
        } else if (error != null) {
            for (Class<?> one : loaded) {
                retransform(List.of(one));
            }
        }
    }

    /**
     * Called by the JDK with the file of a class; returns the file that is to be defined instead. The agent's own
     * hidden classes stay as they are, since it may need them to instrument others. It is native, and only calls
     * {@link #replacement}, so that a virtual thread stays on its carrier meanwhile: the carrier is not traced then.
     */
    public static native byte[] replaced(ClassLoader loader, byte[] file, int flags);

    private static byte[] replacement(ClassLoader loader, byte[] file, int flags) {
        Agent agent = running;
        if (agent == null || !HiddenClasses.isOne(flags)) {
            return file;
        }
        boolean isOwn = Names.isSuspended();
        Names.suspend(1);
        try {
            return agent.replaced(loader, file, isOwn);
        } catch (Throwable e) {
            Names.problem("a hidden class: " + e);
            return file;
        } finally {
            Names.suspend(-1);
        }
    }

    private byte[] replaced(ClassLoader loader, byte[] file, boolean isOwn) {
        String name = ClassFile.reader(file).getClassName();
        Names.defined(Names.type(name));
        if (isOwn || HiddenClasses.isLambda(name)) {
            return file;
        }
        byte[] written = rewritten(null, null, loader, name, file);
        return written == null ? file : written;
    }

    /** The instrumented class; null: the class is left alone. */
    private byte[] rewritten(Module module, ProtectionDomain domain, ClassLoader loader, String name, byte[] file) {
        try {
            Scope.Treatment treatment = scope.of(loader, name);
            return treatment == Scope.Treatment.NONE
                    ? null
                    : instrumenter.instrument(module, domain, loader, name, file, treatment);
        } catch (Throwable e) {
            Names.problem("class " + name + ": " + e);
            return null;
        }
    }

    /** The name in the file of a class that is defined without one; null: the file is damaged. */
    private static String nameIn(byte[] file) {
        try {
            return ClassFile.reader(file).getClassName();
        } catch (RuntimeException e) {
            return null;
        }
    }

    /**
     * Called by native code, while the thread is not traced, with the file of a class that is being defined, or of one
     * that is. Returns the file that it gets instead; null: it keeps this one. The module is null if it has no name.
     */
    private static byte[] transform(Module module, ClassLoader loader, String given, boolean isDefined,
            ProtectionDomain domain, byte[] file) {
        if (given != null && given.startsWith(OWN)) { /* instrumenting a class of the agent could need it */
            return null;
        }
        String name = given == null ? nameIn(file) : given;
        if (name == null) {
            return null;
        }
        if (!isDefined) {
            Names.defined(Names.type(name));
        }
        return running.rewritten(module, domain, loader, name, file);
    }
}
