/* A spool keeps a copy of input that can be read only once (a pipe), or takes
 * long to decompress, so that a second pass can read it again: a temporary file
 * that has no name. */
#ifndef ETMERLIN_IO_SPOOL_H
#define ETMERLIN_IO_SPOOL_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

struct spool;

/* Makes an empty spool in `folder` (NULL: $TMPDIR, else /tmp), readable by this
 * user alone and unlinked at once. The caller owns *out (spool_close). */
enum status spool_open(struct spool **out, const char *folder, struct failure *why) MUST_CHECK;

/* Appends `length` bytes. */
enum status spool_append(struct spool *spool, const void *bytes, size_t length,
                         struct failure *why) MUST_CHECK;

/* Reads at most `capacity` bytes from `offset` on into `bytes`; *got = 0 at the
 * end of what has been appended. */
enum status spool_read(struct spool *spool, uint64_t offset, void *bytes, size_t capacity,
                       size_t *got, struct failure *why) MUST_CHECK;

/* How many bytes have been appended. */
uint64_t spool_length(const struct spool *spool);

/* Releases the spool and its file; NULL is allowed. */
void spool_close(struct spool *spool);

#endif
