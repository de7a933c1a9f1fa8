/* SPDX-License-Identifier: MIT */
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.Remapper;

/**
 * Makes the agent's archive of its classes and those of ASM. The latter are moved into the agent's package,
 * so that the traced program may use another version of ASM. Classes of the package java.lang, which the agent
 * defines itself, are put where the virtual machine does not look for them. Arguments: the archive, the folder with
 * the agent's classes, the archives of ASM.
 */
public final class MakeJar {
    private static final String FROM = "org/objectweb/asm/";
    private static final String TO = "etmerlin/tracer/asm/";
    private static final String JDK = "java/lang/";
    private static final String PROBES = "etmerlin/tracer/probes/";
    private static final String MANIFEST = "META-INF/MANIFEST.MF";
    private static final long EPOCH = 315619200000L; /* 1980-01-02, so that the same input gives the same archive */

    private final Map<String, byte[]> entries = new TreeMap<>();

    public static void main(String[] arguments) throws IOException {
        MakeJar jar = new MakeJar();
        jar.addFolder(Path.of(arguments[1]));
        for (int i = 2; i < arguments.length; i++) {
            jar.addArchive(arguments[i]);
        }
        jar.write(Path.of(arguments[0]));
    }

    private void addFolder(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(path -> path.toString().endsWith(".class")).toList()) {
                add(Files.readAllBytes(file));
            }
        }
    }

    private void addArchive(String name) throws IOException {
        try (ZipFile archive = new ZipFile(name)) {
            for (ZipEntry entry : archive.stream().toList()) {
                if (entry.getName().startsWith(FROM) && entry.getName().endsWith(".class")) {
                    add(archive.getInputStream(entry).readAllBytes());
                }
            }
        }
    }

    private void add(byte[] file) {
        ClassWriter writer = new ClassWriter(0);
        new ClassReader(file).accept(new ClassRemapper(writer, new Remapper() {
            @Override
            public String map(String name) {
                return moved(name);
            }
        }), 0);
        entries.put(place(new ClassReader(file).getClassName()) + ".class", writer.toByteArray());
    }

    private static String place(String name) {
        return name.startsWith(JDK) ? PROBES + name.substring(JDK.length()) : moved(name);
    }

    private static String moved(String name) {
        return name.startsWith(FROM) ? TO + name.substring(FROM.length()) : name;
    }

    private void write(Path file) throws IOException {
        try (OutputStream out = Files.newOutputStream(file); ZipOutputStream archive = new ZipOutputStream(out)) {
            put(archive, MANIFEST, manifest());
            for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                put(archive, entry.getKey(), entry.getValue());
            }
        }
    }

    private static void put(ZipOutputStream archive, String name, byte[] bytes) throws IOException {
        ZipEntry entry = new ZipEntry(name);
        entry.setTime(EPOCH);
        archive.putNextEntry(entry);
        archive.write(bytes);
        archive.closeEntry();
    }

    private static byte[] manifest() {
        return "Manifest-Version: 1.0\r\n\r\n".getBytes(StandardCharsets.UTF_8);
    }
}
