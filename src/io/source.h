/* SPDX-License-Identifier: MIT */
/* A source: the bytes of an input, in order, as often as one likes. Compressed
 * input is recognised by its content and decompressed. */
#ifndef ETMERLIN_IO_SOURCE_H
#define ETMERLIN_IO_SOURCE_H

#include "base/status.h"
#include "io/temporary/spool.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether to keep a copy of what is read, for the next time. The first three are the words of
 * --spool, in their order. */
enum spool_mode {
    SPOOL_AUTO,   /* of input that cannot be read, or not quickly be decompressed, twice */
    SPOOL_NEVER,  /* refuse what cannot be read twice */
    SPOOL_ALWAYS, /* of all input, decompressed */
    SPOOL_ONCE,   /* of nothing: a pipe is read once, and never rewound */
};

struct source_options {
    enum spool_mode spool;
    struct temporary_folder temporary; /* of copies */
    const struct interrupt *interrupt; /* NULL: reading never stops early */
    bool takes_cut; /* compressed data that end too early end there, instead of being refused */
    const char *cut_advice; /* what to do about data that are refused so, for the message; NULL:
                             * there is none */
    bool is_found; /* the user has not named it: it must be a regular file, since a named pipe
                    * would be waited for */
};

struct source;

/* Opens the file `path`, or standard input when it is NULL or "-". Copies of
 * input are temporary files without a name. Standard input that is a file is
 * read from its present position on. A directory is refused (STATUS_IO).
 * The caller owns *out (source_close). `options` may be NULL: all zero. */
enum status source_open(struct source **out, const char *path,
                        const struct source_options *options, struct failure *why) MUST_CHECK;

/* The name for messages: the path, or "(standard input)". */
const char *source_name(const struct source *source);

/* Whether the bytes are those of standard input, and no file can be next to it. */
bool source_is_standard_input(const struct source *source);

/* Whether the user has not named it, as source_options says. */
bool source_is_found(const struct source *source);

/* What asks reading to stop early; NULL: nothing does. */
const struct interrupt *source_interrupt(const struct source *source);

/* Whether there was not a single byte, decompressed if need be, to read. Known once reading has
 * come to the end. */
bool source_is_empty(const struct source *source);

/* Whether compressed data that end too early have been read to their end, and were taken: what
 * comes last may be cut off. */
bool source_is_cut(const struct source *source);

/* The descriptor of the input, so that it can be distinguished from other files. */
int source_descriptor(const struct source *source);

/* Whether a file is still as it was when it was opened, by its size and the time of its last
 * change; with `by_name`, also whether its name still leads to it. STATUS_MEANING: it is not
 * (source_changed). What is no file is always as it was. */
enum status source_check(const struct source *source, bool by_name,
                         struct failure *why) MUST_CHECK;

/* STATUS_MEANING: says that the file `name` changed while it was read. */
enum status source_changed(const char *name, struct failure *why);

/* Reads the next bytes, at most `capacity` of them, into `bytes`; *got = 0 only
 * at the end. STATUS_SYNTAX: compressed data are damaged, or the file is empty though its
 * name says that they are there. STATUS_INTERRUPTED:
 * options->interrupt asks to stop. */
enum status source_read(struct source *source, void *bytes, size_t capacity, size_t *got,
                        struct failure *why) MUST_CHECK;

/* The next source_read starts at the first byte again. */
void source_rewind(struct source *source);

/* Reads the first `capacity` bytes, or all that there are, into `bytes`; *length is set to how
 * many. The next source_read starts at the first byte. To be called before any other reading.
 */
enum status source_read_head(struct source *source, void *bytes, size_t capacity,
                             size_t *length, struct failure *why) MUST_CHECK;

/* Lets compressed data be copied as they are read, uncompressed, so that source_seek finds what
 * has been read without decoding again from the start: to be called before bytes are read that
 * are to be looked for. STATUS_MEANING: the options allow no copy. */
enum status source_keep_copy(struct source *source, struct failure *why) MUST_CHECK;

/* The next source_read starts at byte `offset`, or at the end if there are fewer. Where a file
 * cannot be entered anywhere (a pipe, compressed data), what lies before is read. */
enum status source_seek(struct source *source, uint64_t offset, struct failure *why) MUST_CHECK;

/* Sets *size to the number of all bytes; where no file shows it, they are read. The next
 * source_read starts at the first byte. */
enum status source_size(struct source *source, uint64_t *size, struct failure *why) MUST_CHECK;

/* How far the reading is. */
struct source_progress {
    uint64_t done;  /* bytes of the file, compressed as they are, since the start */
    uint64_t total; /* of these; 0: unknown */
    uint64_t bytes; /* plain bytes since the start */
};

/* Reports that the input has other files, too, which somebody else reads: of their `total`
 * bytes, `done` have been read. They count in source_progress. */
void source_count_others(struct source *source, uint64_t done, uint64_t total);

/* How far reading has come. Any thread may call it while another one reads. */
struct source_progress source_progress(const struct source *source);

/* NULL is allowed. */
void source_close(struct source *source);

#endif
