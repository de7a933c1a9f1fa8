/* SPDX-License-Identifier: MIT */
/* Gives a fuzz target the bytes of files, one after the other. It needs no libFuzzer, so with
 * any compiler a test shows that faults once found are still mended.
 *
 * Usage: fuzz_NAME FILE...      Prints TAP. */
#include "fuzz.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>

/* Reads the file into memory of exactly its size, so that sanitizers notice reads beyond it.
 * Returns NULL if it cannot be read. The caller frees it. */
static uint8_t *read_file(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    long size = -1;
    if (file && fseek(file, 0, SEEK_END) == 0)
        size = ftell(file);
    uint8_t *bytes = size < 0 ? NULL : array_new((size_t)size, 1);
    *length = (size_t)size;
    if (bytes && (fseek(file, 0, SEEK_SET) != 0 || fread(bytes, 1, *length, file) != *length)) {
        free(bytes);
        bytes = NULL;
    }
    if (file)
        fclose(file);
    return bytes;
}

int main(int count, char **arguments)
{
    int failed = 0;
    printf("1..%d\n", count - 1);
    for (int i = 1; i < count; i++) {
        size_t length;
        uint8_t *bytes = read_file(arguments[i], &length);
        if (bytes)
            LLVMFuzzerTestOneInput(bytes, length);
        printf("%s %d - %s: %s\n", bytes ? "ok" : "not ok", i, fuzz_target, arguments[i]);
        fflush(stdout);
        failed |= !bytes;
        free(bytes);
    }
    return failed;
}
