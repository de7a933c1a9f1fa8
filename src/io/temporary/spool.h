/* SPDX-License-Identifier: MIT */
/* A spool: bytes in a temporary file that has no name, which can be read again from any place.
 * It keeps copies of input that can be read only once (a pipe) or takes long to decompress, and
 * what has no room in memory. */
#ifndef ETMERLIN_IO_TEMPORARY_SPOOL_H
#define ETMERLIN_IO_TEMPORARY_SPOOL_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

struct spool;

/* How what is spooled stands in the file. */
enum spool_codec {
    SPOOL_CODEC_AUTO, /* its beginning as it is, the rest compressed */
    SPOOL_CODEC_NONE, /* as it is */
    SPOOL_CODEC_ZSTD  /* compressed */
};

/* Where and how temporary files are kept. */
struct temporary_folder {
    const char *path; /* NULL: $TMPDIR, else /tmp */
    enum spool_codec codec;
    uint64_t beginning; /* bytes that SPOOL_CODEC_AUTO leaves as they are; 0: a GiB */
};

/* Makes an empty spool in `temporary` (NULL: all zero), readable by this user alone and
 * unlinked at once. The caller owns *out (spool_close). */
enum status spool_open(struct spool **out, const struct temporary_folder *temporary,
                       struct failure *why) MUST_CHECK;

/* Appends `length` bytes. What another thread compresses may fail to be written only later:
 * then a later call fails. */
enum status spool_append(struct spool *spool, const void *bytes, size_t length,
                         struct failure *why) MUST_CHECK;

/* Reads `capacity` bytes from `offset` on into `bytes`, or fewer, if what has been appended
 * ends there; *got: how many. Fails if the file has lost some of them. Several threads may read
 * at once, while none appends. */
enum status spool_read(struct spool *spool, uint64_t offset, void *bytes, size_t capacity,
                       size_t *got, struct failure *why) MUST_CHECK;

/* Waits until what has been appended is written, as far as it will be before the next one.
 * Fails if something could not be written. */
enum status spool_settle(struct spool *spool, struct failure *why) MUST_CHECK;

/* How many bytes have been appended. */
uint64_t spool_length(const struct spool *spool);

/* STATUS_IO, since what was read is not what was appended. */
enum status spool_fail_damaged(const struct spool *spool, struct failure *why) MUST_CHECK;

/* Releases the spool and its file; NULL is allowed. */
void spool_close(struct spool *spool);

/* Where temporary files are: `folder` or, if that is NULL, $TMPDIR, else /tmp. */
const char *unnamed_folder(const char *folder);

/* Makes an empty file in `folder`, readable by this user alone and unlinked at once. Sets
 * *descriptor to it, which the caller closes, or to -1. */
enum status unnamed_open(int *descriptor, const char *folder, struct failure *why) MUST_CHECK;

#endif
