/* SPDX-License-Identifier: MIT */
package etmerlin.tracer;

import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.net.JarURLConnection;
import java.net.URL;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The Java part of the tracer: it instruments classes as they are loaded, and those that are there
 * already, some at a time: all at once fails in the virtual machine, and after each time it goes over
 * all its code. Classes that are loaded while the agent transforms are not offered to it, so it goes
 * over them again until none is new.
 */
public final class Agent implements ClassFileTransformer {
    static final String OWN = "etmerlin/tracer/";
    private static final int AT_ONCE = 16;

    private static volatile Agent running;

    private final ClassRewriter rewriter;
    private final Scope scope;

    private Agent(Scope scope, Level level) {
        this.scope = scope;
        rewriter = new ClassRewriter(level);
    }

    /** Called by the virtual machine before main. */
    public static void premain(String argument, Instrumentation instrumentation) {
        if (!Names.bind()) {
            return;
        }
        Names.suspend(1);
        try {
            bindProbes();
            Level level = Level.of(Names.setting("records"));
            Scope scope = new Scope(Names.setting("include"), Names.setting("exclude"), level.libraries);
            openArchive();
            Agent agent = new Agent(scope, level);
            running = agent;
            instrumentation.addTransformer(agent, true);
            agent.retransformLoaded(instrumentation);
        } catch (Throwable e) {
            Names.refuse("The tracer cannot begin: " + e);
        } finally {
            Names.suspend(-1);
        }
        Names.start();
    }

    /** Decides where ids are: in headers, if that is wanted and can be; else they are tags. */
    private static void bindProbes() {
        boolean isWanted = "header".equals(Names.setting("ids"));
        String obstacle = isWanted ? obstacle() : null;
        if (obstacle != null) {
            Names.refuseHeaders(obstacle);
        }
        boolean hasHeaders = isWanted && obstacle == null;
        Names.probes(Probe.class, hasHeaders ? HeaderProbe.class : null, hasHeaders ? Header.class : null);
    }

    private static String obstacle() {
        if ("et3".equals(Names.setting("records"))) {
            return "the level et3 has no others";
        }
        return Names.open() ? Header.obstacle() : "the JDK does not open its module";
    }

    /**
     * Has the JDK load what it opens an archive with. The agent asks class loaders for files of classes;
     * what they only then load, and make with it, would not be recorded from its beginning.
     */
    private static void openArchive() throws IOException {
        URL own = Agent.class.getResource("Agent.class");
        if (own == null || !(own.openConnection() instanceof JarURLConnection connection)) {
            return;
        }
        try (InputStream file = connection.getInputStream()) {
            file.readAllBytes();
            connection.getMainAttributes();
        }
    }

    private void retransformLoaded(Instrumentation instrumentation) {
        Set<Class<?>> done = new HashSet<>();
        List<Class<?>> fresh = new ArrayList<>();
        do {
            fresh.clear();
            for (Class<?> loaded : Names.loaded()) {
                if (done.add(loaded) && isWanted(loaded, instrumentation)) {
                    fresh.add(loaded);
                }
            }
            for (int from = 0; from < fresh.size(); from += AT_ONCE) {
                retransform(fresh.subList(from, Math.min(from + AT_ONCE, fresh.size())), instrumentation);
            }
        } while (!fresh.isEmpty());
    }

    private boolean isWanted(Class<?> loaded, Instrumentation instrumentation) {
        return !loaded.isArray() && !loaded.isHidden() && instrumentation.isModifiableClass(loaded)
                && scope.of(loaded.getClassLoader(), internalName(loaded)) != Scope.Treatment.NONE;
    }

    private static String internalName(Class<?> loaded) {
        return loaded.getName().replace('.', '/');
    }

    /** Where one of them fails, none is transformed: then they go one by one. */
    private static void retransform(List<Class<?>> loaded, Instrumentation instrumentation) {
        try {
            instrumentation.retransformClasses(loaded.toArray(new Class<?>[0]));
        } catch (Throwable e) {
            if (loaded.size() == 1) {
                Names.problem("class " + internalName(loaded.get(0)) + ": " + e);
                return;
            }
            for (Class<?> one : loaded) {
                retransform(List.of(one), instrumentation);
            }
        }
    }

    /**
     * Called by the JDK with the file of a class: returns what is to be defined instead. The agent's
     * own hidden classes stay as they are: it may need them for this very work.
     */
    public static byte[] replaced(ClassLoader loader, byte[] file, int flags) {
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
        if (!Names.connect(loader, name.substring(0, Math.max(0, name.lastIndexOf('/'))))) {
            throw new IllegalStateException("the module of " + name + " cannot read the tracer's");
        }
        byte[] written = rewritten(loader, name, file);
        return written == null ? file : written;
    }

    /** Null: the class is left alone. */
    private byte[] rewritten(ClassLoader loader, String name, byte[] file) {
        try {
            Scope.Treatment treatment = scope.of(loader, name);
            return treatment == Scope.Treatment.NONE ? null : rewriter.rewrite(loader, name, file, treatment);
        } catch (Throwable e) {
            Names.problem("class " + name + ": " + e);
            return null;
        }
    }

    @Override
    public byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain,
            byte[] file) {
        if (name == null || name.startsWith(OWN)) { /* its own classes may be what is needed for it */
            return null;
        }
        Names.suspend(1);
        try {
            if (redefined == null) {
                Names.defined(Names.type(name));
            }
            return rewritten(loader, name, file);
        } finally {
            Names.suspend(-1);
        }
    }
}
