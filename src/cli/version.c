/* SPDX-License-Identifier: MIT */
/* The version of the program and of what it reads and writes with: what a report of a defect
 * needs, since the libraries are those of the machine. */
#include "cli/version.h"

#include <archive.h>
#include <bzlib.h>
#include <jansson.h>
#include <lzma.h>
#include <xxhash.h>
#include <zlib.h>
#include <zstd.h>

void version_print(FILE *stream)
{
    unsigned hash = XXH_versionNumber();
    fprintf(stream, "%s\n", PACKAGE_STRING);
    fprintf(stream, "zlib %s\nzstd %s\nliblzma %s\nbzip2 %s\n", zlibVersion(),
            ZSTD_versionString(), lzma_version_string(), BZ2_bzlibVersion());
    fprintf(stream, "%s\njansson %s\n", archive_version_string(), jansson_version_str());
    fprintf(stream, "xxHash %u.%u.%u\nJudy\n", hash / 10000, hash / 100 % 100, hash % 100);
}
