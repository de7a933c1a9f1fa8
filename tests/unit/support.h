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
#include "trace/reader_class.h"
#include "trace/writer.h"

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

/* Options for sinks that replace a file that exists. */
extern const struct sink_options replacing;

/* The next number of a pseudo-random sequence, below `bound`, which is not 0. *state begins as
 * the seed, and is updated. */
uint64_t random_below(uint64_t *state, uint64_t bound);

/* Expects deaths at the ticks `first` and `second`, and at no other. */
void expect_death_ticks(const struct deaths *deaths, uint64_t first, uint64_t second);

/* Room for the path of a temporary file. */
enum { PATH_SIZE = 512 };

/* Writes the path of file `name` in this test's own folder to `path` (PATH_SIZE bytes), and
 * returns `path`; "" gives the folder itself. The first call makes the folder. scratch_remove
 * removes it with all files: a suite whose tests call this has it as its .fini. */
char *scratch_path(char *path, const char *name);
void scratch_remove(void);

/* The number of files in the test's own folder. */
size_t scratch_count(void);

/* The lowest descriptor below 256 of a temporary file without a name that is not empty. The
 * test fails if there is none. */
int unnamed_file(void);

/* Makes the file, or replaces what it holds; the test fails if that cannot be done. */
void write_file(const char *path, const void *bytes, size_t length);

/* Whether the file exists and holds exactly these bytes. */
bool file_is(const char *path, const void *bytes, size_t length);

/* Makes `standard` (STDIN_FILENO, STDOUT_FILENO) a copy of `descriptor`, which is closed. */
void redirect(int standard, int descriptor);

/* Starts a process that writes the bytes to `descriptor`, at most `piece` at a time, and ends.
 * The caller waits for it (await). */
pid_t start_writer(int descriptor, const void *bytes, size_t length, size_t piece);

/* Waits for a process to end; the test fails unless its exit status is 0. */
void await(pid_t process);

/* Opens a source that reads the bytes, or the string. Its file has no name any more. The caller
 * owns it (source_close). */
struct source *source_of(const void *bytes, size_t length);
struct source *source_from(const char *text);

/* Reads to the end of the source, or until `bytes` has `capacity` bytes, at most `piece` at a
 * time. Returns how many bytes were read; the test fails if a reading does. */
size_t read_all(struct source *source, void *bytes, size_t capacity, size_t piece);

/* A trace after pass 1, with the reader and the source that it comes from. */
struct passed {
    struct source *source;
    struct reader *reader;
    struct pass pass;
    uint64_t digest;
};

extern const struct reader_options thread_dialect, time_dialect;

/* Does pass 1 of the trace `text`, or of `source`, which *passed owns then. The test fails if
 * the trace is bad. passed_free releases all of it and makes *passed zero. */
void pass(struct passed *passed, const char *text, const struct reader_options *options,
          enum held_by held_by);
void pass_source(struct passed *passed, struct source *source,
                 const struct reader_options *options, enum held_by held_by);
void passed_free(struct passed *passed);

/* All records of the trace `text`, which fit one batch; the caller releases it (batch_free). */
struct batch read_trace(const char *text, const struct reader_options *options);

/* A string: `prefix`, `count` times `byte`, `suffix`. The caller frees it. */
char *long_text(const char *prefix, char byte, size_t count, const char *suffix);

/* From now on this process cannot make a file larger than `bytes`: writing fails with EFBIG.
 * The hard limit stays, so that the process can still write its coverage counts at its end. */
void limit_files(uint64_t bytes);

/* Makes the next `count` calls of realloc fail with ENOMEM, except calls within shared
 * libraries.
 */
void fail_reallocations(unsigned count);

/* Limits the address space of this process to `bytes`. Returns false if the limit has no
 * effect, as under an emulator (qemu). */
bool limit_memory(uint64_t bytes);

#endif
