/* SPDX-License-Identifier: MIT */
/* Where the trace goes: chunks of whole lines, compressed and written by a thread of its own.
 * Each chunk is complete in itself, so that a program that is killed leaves a trace that can be
 * read. */
#ifndef ETTRACE_OUTPUT_H
#define ETTRACE_OUTPUT_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

struct output;

/* Opens the file for a trace. STATUS_MEANING: it is there already, not empty, and `force` is
 * false; or another process writes into it. */
enum status output_create(int *descriptor, const char *path, bool force,
                          struct failure *why) MUST_CHECK;

/* Whether another process has opened the file that way and still runs. */
bool output_is_taken(const char *path);

/* Starts writing to `descriptor`, compressed as the suffix of `path` tells (NULL: not). */
enum status output_open(struct output **out, int descriptor, const char *path,
                        struct failure *why) MUST_CHECK;

/* Room for a chunk of output_capacity() bytes; waits for the writer. */
char *output_buffer(struct output *output);
size_t output_capacity(void);

/* The first `length` bytes of the buffer are whole lines: they are written, perhaps later. */
void output_submit(struct output *output, size_t length);

/* Waits until all is written and closes. STATUS_IO: from some line on nothing was written; the
 * trace ends with a comment that says so if that was possible. */
enum status output_close(struct output *output, struct failure *why) MUST_CHECK;

#endif
