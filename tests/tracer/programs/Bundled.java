/* SPDX-License-Identifier: MIT */
import java.util.HashMap;
import java.util.Map;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.osgi.framework.launch.Framework;
import org.osgi.framework.launch.FrameworkFactory;

/** Starts an OSGi framework with a bundle. Arguments: the factory, a folder for the framework, the bundle. */
public class Bundled {
    /** What the bundle runs. */
    public static class Activator implements BundleActivator {
        static Object[] kept = new Object[5];

        @Override
        public void start(BundleContext context) {
            kept[0] = new byte[10];
            System.out.println("started " + context.getBundle().getSymbolicName());
        }

        @Override
        public void stop(BundleContext context) {
            System.out.println("stopped " + kept.length);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Map<String, String> settings = new HashMap<>();
        settings.put("org.osgi.framework.storage", arguments[1]);
        settings.put("org.osgi.framework.storage.clean", "onFirstInit");
        settings.put("felix.service.urlhandlers", "false");
        FrameworkFactory factory =
                (FrameworkFactory) Class.forName(arguments[0]).getDeclaredConstructor().newInstance();
        Framework framework = factory.newFramework(settings);
        framework.start();
        Bundle bundle = framework.getBundleContext().installBundle("file:" + arguments[2]);
        bundle.start();
        framework.stop();
        framework.waitForStop(10_000);
        System.exit(0);
    }
}
