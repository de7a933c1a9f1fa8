/* SPDX-License-Identifier: MIT */
package etmerlin.tracer;

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;

/**
 * Class files of versions that ASM does not know. Newer versions have added attributes, which ASM passes on
 * unchanged, but no instructions, so they are read as files of the newest version it knows.
 */
final class ClassFile {
    private static final int NEWEST = Opcodes.V20 & 0xffff;
    private static final int VERSION_AT = 6;

    private ClassFile() {}

    static int version(byte[] file) {
        return (file[VERSION_AT] & 0xff) << 8 | file[VERSION_AT + 1] & 0xff;
    }

    static ClassReader reader(byte[] file) {
        return new ClassReader(version(file) <= NEWEST ? file : withVersion(file.clone(), NEWEST));
    }

    /** Changes {@code file} and returns it. */
    static byte[] withVersion(byte[] file, int version) {
        file[VERSION_AT] = (byte) (version >> 8);
        file[VERSION_AT + 1] = (byte) version;
        return file;
    }
}
