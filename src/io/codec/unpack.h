/* SPDX-License-Identifier: MIT */
/* Decompression: a stream of plain bytes over a stream of compressed ones. */
#ifndef ETMERLIN_IO_CODEC_UNPACK_H
#define ETMERLIN_IO_CODEC_UNPACK_H

#include "base/status.h"
#include "io/codec/codec.h"

#include <stdbool.h>
#include <stddef.h>

struct unpacker;

/* Gives the next compressed bytes, at most `capacity` of them; *got = 0 only at
 * the end. */
typedef enum status (*unpack_input)(void *context, void *bytes, size_t capacity, size_t *got,
                                    struct failure *why);

/* Makes an unpacker of what `input` gives, which is compressed with `codec`. `name` is the
 * file's, for messages. If it `takes_cut`, data that end too early are taken as far as they go;
 * else the message that refuses them says what to do: `cut_advice` (NULL: nothing). Both texts
 * must stay. The caller owns *out (unpacker_close). */
enum status unpacker_open(struct unpacker **out, const struct codec *codec, unpack_input input,
                          void *context, const char *name, bool takes_cut,
                          const char *cut_advice, struct failure *why) MUST_CHECK;

/* Reads the next plain bytes, at most `capacity` of them; *got = 0 only at the
 * end. STATUS_SYNTAX: the data are damaged or incomplete, or something else
 * follows them; *why shows at which compressed byte. */
enum status unpacker_read(struct unpacker *unpacker, void *bytes, size_t capacity, size_t *got,
                          struct failure *why) MUST_CHECK;

/* Whether data that end too early have been read to their end. */
bool unpacker_is_cut(const struct unpacker *unpacker);

/* Starts again; `input` must give the first compressed bytes next. */
void unpacker_rewind(struct unpacker *unpacker);

/* NULL is allowed. */
void unpacker_close(struct unpacker *unpacker);

#endif
