/* A source: the bytes of an input, in order, as often as one likes. */
#ifndef ETMERLIN_IO_SOURCE_H
#define ETMERLIN_IO_SOURCE_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

struct source;

/* Opens the file `path`, or standard input when it is NULL or "-". Input that
 * cannot be read twice is copied, while it is read, to a temporary file in
 * `spool_folder` (NULL: $TMPDIR, else /tmp). Standard input that is a file is
 * read from its present position on. A directory is refused (STATUS_IO).
 * The caller owns *out (source_close). */
enum status source_open(struct source **out, const char *path, const char *spool_folder,
                        struct failure *why) MUST_CHECK;

/* The name for messages: the path, or "(standard input)". */
const char *source_name(const struct source *source);

/* Reads the next bytes, at most `capacity` of them, into `bytes`; *got = 0 only
 * at the end. */
enum status source_read(struct source *source, void *bytes, size_t capacity, size_t *got,
                        struct failure *why) MUST_CHECK;

/* The next source_read starts at the first byte again. */
void source_rewind(struct source *source);

/* NULL is allowed. */
void source_close(struct source *source);

#endif
