/* SPDX-License-Identifier: MIT */
/* Functions that the fuzz targets share. A target is a file fuzz_NAME.c that defines
 * fuzz_target and LLVMFuzzerTestOneInput, which libFuzzer calls with new bytes again and again,
 * and replay.c with those of files. A target aborts when a contract is broken. No input may do
 * more than make calls fail. */
#ifndef ETMERLIN_TESTS_FUZZ_FUZZ_H
#define ETMERLIN_TESTS_FUZZ_FUZZ_H

#include "io/source.h"
#include "trace/reader.h"
#include "trace/reader_class.h"
#include "trace/writer.h"

#include <stddef.h>
#include <stdint.h>

/* The target's name, for messages. */
extern const char fuzz_target[];

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

/* Aborts with a message when the condition does not hold. */
#define promised(condition) fuzz_promise((condition), __FILE__, __LINE__, #condition)
void fuzz_promise(bool holds, const char *file, int line, const char *condition);

/* Writes these bytes to a file in memory, and returns its path. The next call replaces them. */
const char *fuzz_file(const void *bytes, size_t length);

/* A folder for the files of this process, which exit removes. */
const char *fuzz_folder(void);

/* The path of a file in that folder, in memory that the next call reuses. */
const char *fuzz_path(const char *name);

/* Removes the files in that folder. */
void fuzz_remove_files(void);

/* The results of a reading. */
struct fuzz_reading {
    enum status status;  /* STATUS_END: all was read */
    uint64_t records;    /* a digest of all fields of the records */
    uint64_t digest;     /* reader_digest */
    uint64_t boundaries; /* the number of records M, E and X */
};

/* Reads on to the end, or to a failure. Checks the contract of each batch. */
struct fuzz_reading fuzz_read(struct reader *reader);

/* Reads everything twice from the start, which must have the same results. Then, if
 * `compute_deaths` and nothing failed, computes the deaths of what is read. */
void fuzz_reader(struct reader *reader, bool compute_deaths);

/* Opens a reader of the class `methods` on these bytes, if they can be opened, and calls
 * fuzz_reader, which computes deaths unless options->keep_others. */
void fuzz_bytes(const struct reader_class *methods, const struct reader_options *options,
                const void *bytes, size_t length);

#endif
