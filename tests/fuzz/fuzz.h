/* SPDX-License-Identifier: MIT */
/* What the fuzz targets share. A target is a file fuzz_NAME.c that defines fuzz_target and
 * LLVMFuzzerTestOneInput: libFuzzer calls it with ever new bytes, replay.c with those of files.
 * A target ends the program (abort) when a promise of a contract is broken; whatever the bytes
 * are, they may make a call fail, and that is all. */
#ifndef ETMERLIN_TESTS_FUZZ_FUZZ_H
#define ETMERLIN_TESTS_FUZZ_FUZZ_H

#include "io/source.h"
#include "trace/reader.h"
#include "trace/reader_options.h"
#include "trace/writer_options.h"

#include <stddef.h>
#include <stdint.h>

/* The target's name, for messages. */
extern const char fuzz_target[];

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

/* Ends the program when the condition does not hold. */
#define promised(condition) fuzz_promise((condition), __FILE__, __LINE__, #condition)
void fuzz_promise(bool holds, const char *file, int line, const char *condition);

/* The path of a file that holds just these bytes, until the next call. */
const char *fuzz_file(const void *bytes, size_t length);

/* A folder for the files of this process, which goes with it. */
const char *fuzz_folder(void);

/* The path of a file in that folder, until the next call. */
const char *fuzz_path(const char *name);

/* Removes the files in that folder. */
void fuzz_remove_files(void);

/* What one reading gave. */
struct fuzz_reading {
    enum status status;  /* STATUS_END: all was read */
    uint64_t records;    /* a digest of them, with all their fields */
    uint64_t digest;     /* reader_digest */
    uint64_t boundaries; /* how many records are M, E or X */
};

/* Reads on to the end, or to a failure; each batch must be as its contract says. */
struct fuzz_reading fuzz_read(struct reader *reader);

/* Reads all twice from the start, which must give the same; then, if `compute` and nothing
 * failed, computes deaths from what is read. */
void fuzz_reader(struct reader *reader, bool compute);

/* Opens a reader of `class` on these bytes and does what fuzz_reader does. */
void fuzz_bytes(const struct reader_class *methods, const struct reader_options *options,
                const void *bytes, size_t length);

#endif
