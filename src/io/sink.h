/* A sink: where output goes. It is whole or absent: a file appears under its
 * name only when the sink is committed. */
#ifndef ETMERLIN_IO_SINK_H
#define ETMERLIN_IO_SINK_H

#include "base/status.h"

#include <stddef.h>

struct sink;

/* Opens a sink on standard output when `path` is NULL or "-", else on the file
 * `path`. A regular file is written under a temporary name in the same folder,
 * with the mode that a shell's redirection would give it; a device or a named
 * pipe is written as it is. The caller owns *out and ends it with sink_commit
 * or sink_discard. */
enum status sink_open(struct sink **out, const char *path, struct failure *why) MUST_CHECK;

/* Writes `length` bytes, perhaps later. */
enum status sink_write(struct sink *sink, const void *bytes, size_t length,
                       struct failure *why) MUST_CHECK;

/* Writes what is outstanding, closes, and gives the file its name. Releases the
 * sink, also on failure; then no file is left. */
enum status sink_commit(struct sink *sink, struct failure *why) MUST_CHECK;

/* Drops what is outstanding, removes the temporary file and releases the sink;
 * NULL is allowed. */
void sink_discard(struct sink *sink);

#endif
