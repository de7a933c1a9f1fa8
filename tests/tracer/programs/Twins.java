/* SPDX-License-Identifier: MIT */
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.concurrent.Callable;

/** A class called Twin is loaded from each folder of the arguments, by a loader of its own. */
public class Twins {
    public static void main(String[] folders) throws Exception {
        for (String folder : folders) {
            URL[] places = {Path.of(folder).toUri().toURL()};
            try (URLClassLoader loader = new URLClassLoader(places)) {
                Callable<?> twin = (Callable<?>) loader.loadClass("Twin").getConstructor().newInstance();
                System.out.println(twin.call());
            }
        }
    }
}
