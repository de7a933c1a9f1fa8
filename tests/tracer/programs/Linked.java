/* SPDX-License-Identifier: MIT */
import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/** Links, and so verifies, every class of the archives without running any code; prints those that do not verify. */
public class Linked {
    private static int linked;
    private static int others;

    private static URL url(String archive) throws MalformedURLException {
        return new File(archive).toURI().toURL();
    }

    /** The archive comes first; the others have what its classes need. */
    private static URLClassLoader loader(String archive, String[] all) throws MalformedURLException {
        List<URL> path = new ArrayList<>(List.of(url(archive)));
        for (String other : all) {
            path.add(url(other));
        }
        return new URLClassLoader(path.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
    }

    private static List<String> classes(String archive) throws IOException {
        try (JarFile jar = new JarFile(archive)) {
            return jar.stream().map(JarEntry::getName)
                    .filter(name -> name.endsWith(".class") && !name.startsWith("META-INF") && !name.endsWith("-info.class"))
                    .map(name -> name.substring(0, name.length() - 6).replace('/', '.')).sorted().toList();
        }
    }

    private static void link(String name, ClassLoader loader) {
        try {
            Class.forName(name, false, loader).getDeclaredMethods();
            linked++;
        } catch (VerifyError | ClassFormatError e) {
            System.out.println(name + ": " + e.getMessage());
        } catch (ClassNotFoundException | LinkageError | SecurityException e) {
            others++; /* a class that it needs is missing */
        }
    }

    public static void main(String[] archives) throws IOException {
        for (String archive : archives) {
            try (URLClassLoader loader = loader(archive, archives)) {
                classes(archive).forEach(name -> link(name, loader));
            }
        }
        System.out.println(linked + " classes are linked, " + others + " cannot be");
    }
}
