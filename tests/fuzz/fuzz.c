/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include "merlin/deaths.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xxhash.h>

void fuzz_promise(bool holds, const char *file, int line, const char *condition)
{
    if (holds)
        return;
    fprintf(stderr, "%s:%d: not so: %s\n", file, line, condition);
    abort();
}

/* Readers read only files, so one file in memory is used for all inputs. */
const char *fuzz_file(const void *bytes, size_t length)
{
    static char path[64];
    static int descriptor = -1;
    if (descriptor < 0) {
        descriptor = memfd_create("fuzz", MFD_CLOEXEC);
        snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    }
    promised(ftruncate(descriptor, 0) == 0);
    promised(pwrite(descriptor, bytes, length, 0) == (ssize_t)length);
    return path;
}

static void remove_fuzz_folder(void)
{
    fuzz_remove_files();
    rmdir(fuzz_folder());
}

const char *fuzz_folder(void)
{
    static char folder[] = "/tmp/fuzz-XXXXXX";
    static bool is_made;
    if (!is_made) {
        promised(mkdtemp(folder) != NULL);
        is_made = true;
        promised(atexit(remove_fuzz_folder) == 0);
    }
    return folder;
}

const char *fuzz_path(const char *name)
{
    static char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", fuzz_folder(), name);
    return path;
}

void fuzz_remove_files(void)
{
    DIR *folder = opendir(fuzz_folder());
    const struct dirent *entry;
    promised(folder != NULL);
    while ((entry = readdir(folder)))
        unlinkat(dirfd(folder), entry->d_name, 0); /* not "." and "..", which are no files */
    closedir(folder);
}

/* Writes the fields that the record has to `fields`; returns their number. Of an unknown or
 * malformed record only the kind counts. */
static size_t fields_of(const struct record *record, uint64_t fields[static 8])
{
    size_t count = 0;
    fields[count++] = record->kind;
    fields[count++] = record->thread;
    if (record->kind == RECORD_UNKNOWN || record->kind == RECORD_MALFORMED)
        return 1;
    if (record->kind != RECORD_EXIT)
        fields[count++] = record->object;
    if (record->kind != RECORD_DEATH)
        fields[count++] = record->type;
    if (record->kind != RECORD_EXIT && record->kind != RECORD_ENTRY &&
        record->kind != RECORD_WITNESS)
        fields[count++] = record->size;
    if (record_is_allocation(record->kind)) {
        fields[count++] = record->site;
        fields[count++] = record->length;
    }
    return count;
}

static uint64_t digest_record(const struct record *record, uint64_t digest)
{
    uint64_t fields[8];
    return XXH3_64bits_withSeed(fields, fields_of(record, fields) * sizeof *fields, digest);
}

/* All readings use this batch, since allocating one takes longer than reading a fuzzer's input.
 */
static struct batch batch;

/* The records of a batch are in order of their bytes and lines, and within its text. */
static void check_batch(void)
{
    uint32_t end = 0, line = 0;
    promised(batch.count <= batch.capacity);
    for (size_t i = 0; i < batch.count; i++) {
        const struct record *record = &batch.records[i];
        promised(record->begin >= end && record->end >= record->begin);
        promised(record->end <= batch.text_length);
        promised(record->line >= line);
        end = record->end;
        line = record->line;
    }
}

struct fuzz_reading fuzz_read(struct reader *reader)
{
    struct fuzz_reading reading = {.status = STATUS_OK};
    struct failure why = {.status = STATUS_OK};
    while ((reading.status = reader_next(reader, &batch, &why)) == STATUS_OK) {
        check_batch();
        for (size_t i = 0; i < batch.count; i++) {
            reading.records = digest_record(&batch.records[i], reading.records);
            reading.boundaries += record_is_boundary(batch.records[i].kind) != 0;
        }
    }
    promised(reading.status == STATUS_END || why.status == reading.status);
    reading.digest = reader_digest(reader);
    failure_clear(&why);
    return reading;
}

static enum status add_all(struct pass *pass, struct reader *reader, struct failure *why)
{
    enum status status;
    while ((status = reader_next(reader, &batch, why)) == STATUS_OK &&
           (status = pass_add(pass, &batch, why)) == STATUS_OK)
        continue;
    return status;
}

/* Computes the deaths of what the reader delivers, which succeeds or fails with a reason. */
static void compute(struct reader *reader)
{
    struct pass pass;
    struct deaths deaths = {.pass = NULL};
    struct failure why = {.status = STATUS_OK};
    reader_rewind(reader, NULL);
    enum status status = pass_init(&pass, HELD_BY_FRAME, reader->explicit_time, &why);
    if (status == STATUS_OK)
        status = add_all(&pass, reader, &why);
    if (status == STATUS_END)
        status = deaths_compute(&deaths, &pass, UNALLOCATED_LAST_USE, &why);
    promised(status == STATUS_OK || why.status == status);
    deaths_free(&deaths);
    pass_free(&pass);
    failure_clear(&why);
}

void fuzz_reader(struct reader *reader, bool compute_deaths)
{
    reader_rewind(reader, NULL);
    struct fuzz_reading first = fuzz_read(reader);
    reader_rewind(reader, NULL);
    struct fuzz_reading second = fuzz_read(reader);
    promised(first.status == second.status && first.records == second.records);
    promised(first.status != STATUS_END || first.digest == second.digest);
    if (compute_deaths && first.status == STATUS_END)
        compute(reader);
}

void fuzz_bytes(const struct reader_class *methods, const struct reader_options *options,
                const void *bytes, size_t length)
{
    struct failure why = {.status = STATUS_OK};
    struct source *source = NULL;
    struct reader *reader = NULL;
    promised(source_open(&source, fuzz_file(bytes, length), NULL, &why) == STATUS_OK);
    enum status status = methods->open(&reader, source, options, &why);
    promised((status == STATUS_OK) == (reader != NULL));
    promised(status == why.status);
    if (reader)
        fuzz_reader(reader, !options->keep_others);
    reader_close(reader);
    source_close(source);
    failure_clear(&why);
}
