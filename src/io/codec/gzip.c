/* SPDX-License-Identifier: MIT */
/* gzip by zlib's inflate and deflate. gzread would not do: it takes a truncated
 * file for a complete one, and what follows a member for plain text. */
#include "io/codec/codec.h"

#include <limits.h>
#include <stdlib.h>
#include <zlib.h>

/* The largest window, in a gzip wrapper with its checksum. */
enum { GZIP_WINDOW = MAX_WBITS + 16, MEMORY_LEVEL = 8 };

static bool gzip_recognises(const uint8_t *head, size_t length)
{
    return codec_has_magic(head, length, "\x1f\x8b", 2);
}

static void *gzip_decoder_new(void)
{
    z_stream *stream = calloc(1, sizeof *stream);
    if (stream && inflateInit2(stream, GZIP_WINDOW) != Z_OK) {
        free(stream);
        return NULL;
    }
    return stream;
}

static enum codec_result gzip_restart(void *decoder)
{
    inflateReset(decoder);
    return CODEC_MORE;
}

static void gzip_decoder_free(void *decoder)
{
    inflateEnd(decoder);
    free(decoder);
}

/* Hands the step's buffers to zlib, which counts in int; returns what is handed. */
static struct codec_step lend(z_stream *stream, const struct codec_step *step)
{
    struct codec_step lent = *step;
    lent.in_left = step->in_left < UINT_MAX ? step->in_left : UINT_MAX;
    lent.out_left = step->out_left < UINT_MAX ? step->out_left : UINT_MAX;
    stream->next_in = (z_const Bytef *)(uintptr_t)step->in;
    stream->avail_in = (uInt)lent.in_left;
    stream->next_out = step->out;
    stream->avail_out = (uInt)lent.out_left;
    return lent;
}

static void take_back(const z_stream *stream, struct codec_step *step, struct codec_step lent)
{
    step->in = stream->next_in;
    step->in_left -= lent.in_left - stream->avail_in;
    step->out_left -= lent.out_left - stream->avail_out;
}

static enum codec_result gzip_decode(void *decoder, struct codec_step *step,
                                     const char **explanation)
{
    z_stream *stream = decoder;
    struct codec_step lent = lend(stream, step);
    int result = inflate(stream, Z_NO_FLUSH);
    take_back(stream, step, lent);
    switch (result) {
    case Z_OK:
    case Z_BUF_ERROR:
        return CODEC_MORE;
    case Z_STREAM_END:
        return CODEC_END;
    case Z_MEM_ERROR:
        return CODEC_NO_MEMORY;
    default:
        *explanation = stream->msg ? stream->msg : "invalid data";
        return CODEC_DAMAGED;
    }
}

static void *gzip_encoder_new(int level, unsigned threads)
{
    (void)threads;
    z_stream *stream = calloc(1, sizeof *stream);
    if (stream && deflateInit2(stream, level, Z_DEFLATED, GZIP_WINDOW, MEMORY_LEVEL,
                               Z_DEFAULT_STRATEGY) != Z_OK) {
        free(stream);
        return NULL;
    }
    return stream;
}

static enum codec_result gzip_encode(void *encoder, struct codec_step *step)
{
    z_stream *stream = encoder;
    struct codec_step lent = lend(stream, step);
    bool ends = step->in_ends && lent.in_left == step->in_left;
    int result = deflate(stream, ends ? Z_FINISH : Z_NO_FLUSH);
    take_back(stream, step, lent);
    return result == Z_STREAM_END ? CODEC_END : CODEC_MORE;
}

static void gzip_encoder_free(void *encoder)
{
    deflateEnd(encoder);
    free(encoder);
}

const struct codec codec_gzip = {
    .name = "gzip",
    .suffix = ".gz",
    .zeros_may_follow = true,
    .can_encode = true,
    .level_min = 1,
    .level_max = 9,
    .level_default = 6,
    .recognises = gzip_recognises,
    .decoder_new = gzip_decoder_new,
    .decode = gzip_decode,
    .restart = gzip_restart,
    .decoder_free = gzip_decoder_free,
    .encoder_new = gzip_encoder_new,
    .encode = gzip_encode,
    .encoder_free = gzip_encoder_free,
};
