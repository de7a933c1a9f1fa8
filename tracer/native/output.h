/* SPDX-License-Identifier: MIT */
/* Where the trace goes: chunks of whole lines, compressed and written by a thread of its own.
 * Each chunk is complete in itself, so that a program that is killed leaves a trace that can be
 * read. */
#ifndef ETTRACE_OUTPUT_H
#define ETTRACE_OUTPUT_H

#include "base/status.h"

#include <stddef.h>

struct output;

/* Starts writing to `descriptor`, compressed by the suffix of `path` (NULL: not). */
enum status output_open(struct output **out, int descriptor, const char *path,
                        struct failure *why) MUST_CHECK;

/* Room for a chunk of output_capacity() bytes; waits for the writer. */
char *output_buffer(struct output *output);
size_t output_capacity(void);

/* Has the first `length` bytes of the buffer, which must be whole lines, written, perhaps
 * later. */
void output_submit(struct output *output, size_t length);

/* Waits until everything is written, and closes the output. STATUS_IO: nothing was written from
 * some line on; the trace ends with a comment that says so, if that could be written. */
enum status output_close(struct output *output, struct failure *why) MUST_CHECK;

#endif
