/* SPDX-License-Identifier: MIT */
/* What the unit tests share. Each test runs in a process of its own. */
#ifndef ETMERLIN_TESTS_UNIT_SUPPORT_H
#define ETMERLIN_TESTS_UNIT_SUPPORT_H

#include "expect.h"

#include "base/status.h"
#include "formats/formats.h"
#include "io/sink.h"
#include "io/source.h"
#include "merlin/deaths.h"
#include "trace/reader.h"
#include "trace/reader_options.h"
#include "trace/writer_options.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#if defined __SANITIZE_ADDRESS__
#define SANITIZED 1
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

/* For sinks that replace a file without ado. */
extern const struct sink_options replacing;

/* The next number of a pseudo-random sequence, below `bound`; *state is its seed. */
uint64_t random_below(uint64_t *state, uint64_t bound);

/* Something dies at the ticks `first` and `second`, and at no other. */
void expect_death_ticks(const struct deaths *deaths, uint64_t first, uint64_t second);

/* Room for the path of a temporary file. */
enum { PATH_SIZE = 512 };

/* Writes to `path` (PATH_SIZE bytes) where file `name` stands in this test's own folder, which
 * is made at the first call; "" gives the folder. Returns `path`. A suite that calls it has
 * scratch_remove as its .fini. */
char *scratch_path(char *path, const char *name);
void scratch_remove(void);

/* How many files the test's own folder has. */
size_t scratch_count(void);

/* The descriptor of the temporary file without a name that is open and not empty: the first of
 * several. The test fails if there is none. */
int unnamed_file(void);

void write_file(const char *path, const void *bytes, size_t length);

/* Whether the file exists and holds just these bytes. */
bool file_is(const char *path, const void *bytes, size_t length);

/* Puts `descriptor` in the place of `standard` (STDIN_FILENO, STDOUT_FILENO). */
void redirect(int standard, int descriptor);

/* Starts a process that writes the bytes to `descriptor`, at most `piece` at a time, and ends.
 */
pid_t start_writer(int descriptor, const void *bytes, size_t length, size_t piece);

/* Waits for a process, which must succeed. */
void await(pid_t process);

/* A source that holds the bytes, or the string; it leaves no file after. */
struct source *source_of(const void *bytes, size_t length);
struct source *source_from(const char *text);

/* Reads to the end, at most `piece` bytes at a time, into `bytes`, which has room for
 * `capacity`; returns how many. */
size_t read_all(struct source *source, void *bytes, size_t capacity, size_t piece);

/* A trace that has been through pass 1, and what it is read from. */
struct passed {
    struct source *source;
    struct reader *reader;
    struct history history;
    uint64_t digest;
};

extern const struct reader_options thread_dialect, time_dialect;

/* Takes the trace `text`, or all that `source` has, through pass 1. pass_free ends it, closes
 * the source, and makes *passed zero again. */
void pass(struct passed *passed, const char *text, const struct reader_options *options,
          enum held_by held_by);
void pass_source(struct passed *passed, struct source *source,
                 const struct reader_options *options, enum held_by held_by);
void pass_free(struct passed *passed);

/* A string of `prefix`, then `count` times `byte`, then `suffix`; the caller frees it. */
char *long_text(const char *prefix, char byte, size_t count, const char *suffix);

/* No file grows beyond `bytes` from here on. The hard limit stays, so that the test's process
 * can write what it has counted at its end. */
void limit_files(uint64_t bytes);

/* The process gets no more memory than `bytes` from here on, if it does not have more already.
 * False: it does, since an emulator takes no heed of the limit (qemu). */
bool limit_memory(uint64_t bytes);

#endif
