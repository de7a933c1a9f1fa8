/* SPDX-License-Identifier: MIT */
package etmerlin.tracer;

import java.io.IOException;
import java.io.InputStream;

/**
 * The files of the classes that the JDK's own loaders find, as {@link ClassLoader#getResourceAsStream} gives them. That
 * asks all modules of the JDK first, in code that is instrumented; here only the right one is asked.
 */
final class JdkFiles {
    private JdkFiles() {}

    /** Binds the other native methods; must be called before them. */
    static native void bind();

    /** Whether the files of this loader's classes can be opened here; null is the boot loader. */
    static native boolean has(ClassLoader loader);

    /** Opens the file of a class, {@code name}, that the loader or one above it defines; null: there is none. */
    static InputStream open(ClassLoader loader, String name) throws IOException {
        int end = name.lastIndexOf('/');
        String packageName = end < 0 ? "" : name.substring(0, end).replace('/', '.');
        return open(loader, packageName, name + ".class");
    }

    private static native InputStream open(ClassLoader loader, String packageName, String file) throws IOException;
}
