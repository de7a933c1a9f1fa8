/* SPDX-License-Identifier: MIT */
package etmerlin.tracer;

import java.io.FileNotFoundException;
import java.io.IOException;

/**
 * Defines the classes that instrumented code calls, of which the agent has the files. They are in the package java.lang,
 * so that all class loaders find them, and cannot be named here: only the JDK itself may have classes there.
 */
final class Probes {
    /** What the names of these classes begin with. */
    static final String PREFIX = "java/lang/Ettrace";

    private Probes() {}

    /** Defines them, and decides where ids are: in headers, if that is wanted and possible, else in tags. */
    static void bind() throws IOException {
        define("Probe");
        boolean isWanted = "header".equals(Names.setting("ids"));
        String obstacle = isWanted ? obstacle() : null;
        if (obstacle != null) {
            Names.refuseHeaders(obstacle);
        }
        boolean hasHeaders = isWanted && obstacle == null;
        if (hasHeaders) {
            define("Records");
            define("HeaderProbe");
        }
        Names.probes(hasHeaders);
    }

    /** Why ids cannot be in headers; null: they can. */
    private static String obstacle() throws IOException {
        if ("et3".equals(Names.setting("records"))) {
            return "the level et3 has no others";
        }
        define("Header");
        return Names.obstacle();
    }

    private static void define(String name) throws IOException {
        String file = Agent.OWN + "probes/Ettrace" + name + ".class";
        if (!Names.define(file)) {
            throw new FileNotFoundException(file);
        }
    }
}
