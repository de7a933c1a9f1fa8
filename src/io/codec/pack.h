/* SPDX-License-Identifier: MIT */
/* Compression: a stream of plain bytes that comes out compressed. */
#ifndef ETMERLIN_IO_CODEC_PACK_H
#define ETMERLIN_IO_CODEC_PACK_H

#include "base/status.h"
#include "io/codec/codec.h"

#include <stddef.h>

struct packer;

/* How to compress. */
struct compression {
    const struct codec *codec; /* one that can encode; NULL: not at all */
    int level;                 /* one of the codec's */
    unsigned threads;          /* that may work in addition to the caller's; at least 1 */
};

/* Takes the next compressed bytes. */
typedef enum status (*pack_output)(void *context, const void *bytes, size_t length,
                                   struct failure *why);

/* Makes a packer whose output goes to `output`. The caller owns *out
 * (packer_close). */
enum status packer_open(struct packer **out, const struct compression *how, pack_output output,
                        void *context, struct failure *why) MUST_CHECK;

/* Compresses `length` bytes; output may come later. */
enum status packer_write(struct packer *packer, const void *bytes, size_t length,
                         struct failure *why) MUST_CHECK;

/* Writes what is outstanding and ends the compressed data. With a codec that encodes on, what
 * is written next begins another member. */
enum status packer_finish(struct packer *packer, struct failure *why) MUST_CHECK;

/* NULL is allowed. */
void packer_close(struct packer *packer);

#endif
