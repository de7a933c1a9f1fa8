/* SPDX-License-Identifier: MIT */
/* A sink: where output goes. It is whole or absent: a file appears under its
 * name only when the sink is committed. */
#ifndef ETMERLIN_IO_SINK_H
#define ETMERLIN_IO_SINK_H

#include "base/status.h"
#include "io/codec/pack.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct sink;

/* Sinks that are open, for the end of a process in which they cannot be ended one by one.
 * Zero-initialize it. */
struct sink_list {
    struct sink *first;   /* NULL: none */
    pthread_mutex_t lock; /* of the list, and of the files under temporary names */
};

/* Whether a sink in the list writes, or would replace, the regular file at `path`. */
bool sink_list_has_file(const struct sink_list *list, const char *path);

/* Removes the temporary files of the sinks in the list that this process has opened, and
 * nothing else. Any thread may do so: from then on no sink of the list is opened or ended, so
 * the process has to end. */
void sink_list_unlink(struct sink_list *list);

struct sink_options {
    bool force;             /* replace a file that is there already */
    bool in_place;          /* replace the input */
    bool could_be_in_place; /* for the message that refuses the input: --in-place would help */
    bool read_back;         /* refuse what cannot be read back */
    int input;              /* descriptor of the input, which is refused as output; -1: none */
    struct compression compression;
    const struct interrupt *interrupt; /* NULL: writing never stops early */
    struct sink_list *list;            /* the sink is in it while it is open; NULL: in none */
};

/* Opens a sink on standard output when `path` is NULL or "-", else on the file
 * `path`. A regular file is written without a name, or under a temporary one, in the same
 * folder, with the owner, as far as that is allowed, and the mode that a shell's redirection
 * would give it; a device or a named pipe is written as it is. STATUS_MEANING: there is a file
 * that the options do not allow to replace, or something that cannot be read back as they want.
 * The caller owns *out and ends it with sink_commit or sink_discard. */
enum status sink_open(struct sink **out, const char *path, const struct sink_options *options,
                      struct failure *why) MUST_CHECK;

/* Writes `length` bytes, perhaps later. STATUS_INTERRUPTED: options->interrupt
 * asks to stop. After a failure only sink_discard is left to call. */
enum status sink_write(struct sink *sink, const void *bytes, size_t length,
                       struct failure *why) MUST_CHECK;

/* Writes what is outstanding; nothing can be written after it. */
enum status sink_finish(struct sink *sink, struct failure *why) MUST_CHECK;

/* The temporary name, perhaps one of this process in /proc, where all output can be read after
 * sink_finish; NULL: there is none (never so with options->read_back). */
const char *sink_temporary(const struct sink *sink);

/* Where the output goes, for messages. */
const char *sink_name(const struct sink *sink);

/* Writes what is outstanding to the device. After that only giving the file its name can fail.
 * With several outputs, call it for all of them before the first gets its name. After a failure
 * only sink_discard is left to call. */
enum status sink_end(struct sink *sink, struct failure *why) MUST_CHECK;

/* Calls sink_end, unless that has been done, and gives the file its name. Releases the
 * sink, also on failure; then no file is left. */
enum status sink_commit(struct sink *sink, struct failure *why) MUST_CHECK;

/* Drops what is outstanding, removes the temporary file and releases the sink;
 * NULL is allowed. */
void sink_discard(struct sink *sink);

#endif
