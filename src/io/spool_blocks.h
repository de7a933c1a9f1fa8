/* SPDX-License-Identifier: MIT */
/* The compressed part of a spool: blocks of one size, each compressed on its own, so that any
 * byte is found by decoding one of them. A thread of its own compresses and writes, while the
 * next block is filled. */
#ifndef ETMERLIN_IO_SPOOL_BLOCKS_H
#define ETMERLIN_IO_SPOOL_BLOCKS_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

struct spool_blocks;

/* No blocks yet; they will be written after the first `start` bytes of the file `descriptor`,
 * which is at that position and must stay open; `folder`, for messages, must stay, too. The
 * caller owns *out (spool_blocks_close). */
enum status spool_blocks_open(struct spool_blocks **out, int descriptor, uint64_t start,
                              const char *folder, struct failure *why) MUST_CHECK;

/* They do with the bytes of the blocks what spool_append, spool_read and spool_settle do with a
 * spool. */
enum status spool_blocks_append(struct spool_blocks *blocks, const void *bytes, size_t length,
                                struct failure *why) MUST_CHECK;
enum status spool_blocks_read(struct spool_blocks *blocks, uint64_t offset, void *bytes,
                              size_t capacity, size_t *got, struct failure *why) MUST_CHECK;
enum status spool_blocks_settle(struct spool_blocks *blocks, struct failure *why) MUST_CHECK;

/* NULL is allowed. */
void spool_blocks_close(struct spool_blocks *blocks);

#endif
