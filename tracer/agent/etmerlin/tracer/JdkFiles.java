/* SPDX-License-Identifier: MIT */
package etmerlin.tracer;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;

/**
 * The files of the classes that the JDK's own loaders find, as {@link ClassLoader#getResourceAsStream} gives them. That
 * asks all modules of the JDK first, in code that is instrumented; here only the right one is asked.
 */
final class JdkFiles {
    private static boolean isReady;

    private JdkFiles() {}

    /** Must be called first. Otherwise, or if the JDK lacks what is needed, no loader has files here. */
    static void start() {
        isReady = bind();
    }

    /** Whether the files of this loader's classes can be opened here; null is the boot loader. */
    static boolean has(ClassLoader loader) {
        return isReady && isOfJdk(loader);
    }

    /** Binds the other native methods; whether the JDK has what they need. */
    private static native boolean bind();

    private static native boolean isOfJdk(ClassLoader loader);

    /** Reads the file of a class, {@code name}, that the loader or one above it defines; null: there is none. */
    static byte[] read(ClassLoader loader, String name) throws IOException {
        int end = name.lastIndexOf('/');
        String packageName = end < 0 ? "" : name.substring(0, end).replace('/', '.');
        Object found = find(loader, packageName, name + ".class");
        if (found instanceof InputStream file) {
            try (file) {
                return file.readAllBytes();
            }
        }
        return (byte[]) found;
    }

    /** Reads the file, which may be one in an archive; null: it cannot be read here. */
    static native byte[] read(URL file);

    /** The contents of the file, or a stream of them; null: there is none. */
    private static native Object find(ClassLoader loader, String packageName, String file) throws IOException;
}
