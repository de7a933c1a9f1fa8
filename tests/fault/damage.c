/* SPDX-License-Identifier: MIT */
/* Damages a compressed sample in many small ways, and reads it each time. Damage must be
 * noticed, or change nothing of what is read. The file is cut after each of its first 200 bytes
 * and before each of its last 200; each of the first 200 bytes is left out; 200 bits are
 * flipped, in positions spread over the file by a fixed sequence; and something is appended.
 *
 * Usage: damage SAMPLE...      Prints TAP. */
#include "formats/formats.h"
#include "io/source.h"
#include "trace/reader.h"
#include "trace/reader_class.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIZE_MAXIMUM = 1 << 20, TRIES = 200 };

static unsigned char sample[SIZE_MAXIMUM], damaged[SIZE_MAXIMUM + 64];
static size_t length;
static char file_name[] = "/tmp/etmerlin-damage-XXXXXX";

static enum status read_all(struct source *source, uint64_t *digest, struct failure *why)
{
    struct reader_options options = {.dialect = DIALECT_THREAD};
    struct reader *reader;
    struct batch batch = BATCH_EMPTY;
    enum status status = formats_open_reader(&reader, source, &options, why);
    if (status != STATUS_OK)
        return status;
    while ((status = reader_next(reader, &batch, why)) == STATUS_OK)
        continue;
    *digest = reader_digest(reader);
    batch_free(&batch);
    reader_close(reader);
    return status == STATUS_END ? STATUS_OK : status;
}

static enum status read_file(const char *path, uint64_t *digest)
{
    struct failure why = {.status = STATUS_OK};
    struct source *source;
    enum status status = source_open(&source, path, NULL, &why);
    if (status == STATUS_OK) {
        status = read_all(source, digest, &why);
        source_close(source);
    }
    failure_clear(&why);
    return status;
}

/* Whether the first `size` bytes of `damaged` are refused, or read as the sample is. */
static int is_noticed(size_t size, uint64_t digest)
{
    uint64_t other;
    FILE *file = fopen(file_name, "wb");
    if (!file || fwrite(damaged, 1, size, file) != size || fclose(file) != 0) {
        perror(file_name);
        exit(99);
    }
    return read_file(file_name, &other) != STATUS_OK || other == digest;
}

static int failures_of_cuts(uint64_t digest)
{
    int failures = 0;
    memcpy(damaged, sample, length);
    for (size_t i = 1; i <= TRIES && i < length; i++) {
        failures += !is_noticed(i, digest);
        failures += !is_noticed(length - i, digest);
    }
    return failures;
}

static int failures_of_gaps(uint64_t digest)
{
    int failures = 0;
    for (size_t i = 0; i < TRIES && i < length; i++) {
        memcpy(damaged, sample, i);
        memcpy(damaged + i, sample + i + 1, length - i - 1);
        failures += !is_noticed(length - 1, digest);
    }
    return failures;
}

static int failures_of_flips(uint64_t digest)
{
    int failures = 0;
    uint64_t random = 1;
    for (int i = 0; i < TRIES; i++) {
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        size_t bit = (size_t)(random >> 33) % (8 * length);
        memcpy(damaged, sample, length);
        damaged[bit / 8] ^= (unsigned char)(1U << bit % 8);
        failures += !is_noticed(length, digest);
    }
    return failures;
}

static int failures_of_garbage(uint64_t digest)
{
    static const char *const garbage[] = {"M 1 0 1\n", "x", "\n"};
    int failures = 0;
    memcpy(damaged, sample, length);
    for (size_t i = 0; i < sizeof garbage / sizeof *garbage; i++) {
        memcpy(damaged + length, garbage[i], strlen(garbage[i]));
        failures += !is_noticed(length + strlen(garbage[i]), digest);
    }
    return failures;
}

static int report(int number, const char *path, const char *what, int failures)
{
    printf("%s %d - %s: %s", failures ? "not ok" : "ok", number, path, what);
    printf(failures ? " (%d not noticed)\n" : "\n", failures);
    return failures != 0;
}

int main(int count, char **arguments)
{
    int failed = 0, number = 0, descriptor = mkstemp(file_name);
    printf("1..%d\n", 4 * (count - 1));
    for (int i = 1; i < count; i++) {
        uint64_t digest;
        FILE *file = fopen(arguments[i], "rb");
        length = file ? fread(sample, 1, sizeof sample, file) : 0;
        if (!file || read_file(arguments[i], &digest) != STATUS_OK) {
            printf("Bail out! %s cannot be read\n", arguments[i]);
            return 1;
        }
        fclose(file);
        failed |= report(++number, arguments[i], "cuts", failures_of_cuts(digest));
        failed |= report(++number, arguments[i], "gaps", failures_of_gaps(digest));
        failed |= report(++number, arguments[i], "flipped bits", failures_of_flips(digest));
        failed |= report(++number, arguments[i], "garbage", failures_of_garbage(digest));
    }
    close(descriptor);
    unlink(file_name);
    return failed;
}
