/* SPDX-License-Identifier: MIT */
/* bzip2, for input only: it is slow, and no smaller than xz. Several streams in a row are one
 * file, as parallel compressors write them. */
#include "io/codec/codec.h"

#include <bzlib.h>
#include <limits.h>
#include <stdlib.h>

static bool bzip2_recognises(const uint8_t *head, size_t length)
{
    if (!codec_has_magic(head, length, "BZh", 3))
        return false;
    return length < 4 || (head[3] >= '1' && head[3] <= '9');
}

static void *bzip2_decoder_new(void)
{
    bz_stream *stream = calloc(1, sizeof *stream);
    if (stream && BZ2_bzDecompressInit(stream, 0, 0) != BZ_OK) {
        free(stream);
        return NULL;
    }
    return stream;
}

/* A stream that could not be restarted is as after the end: BZ2_bzDecompressEnd
 * and BZ2_bzDecompress refuse it. */
static enum codec_result bzip2_restart(void *decoder)
{
    bz_stream *stream = decoder;
    BZ2_bzDecompressEnd(stream);
    *stream = (bz_stream){.state = NULL};
    return BZ2_bzDecompressInit(stream, 0, 0) == BZ_OK ? CODEC_MORE : CODEC_NO_MEMORY;
}

static void bzip2_decoder_free(void *decoder)
{
    BZ2_bzDecompressEnd(decoder);
    free(decoder);
}

static unsigned clamp(size_t size)
{
    return size < UINT_MAX ? (unsigned)size : UINT_MAX;
}

static enum codec_result bzip2_decode(void *decoder, struct codec_step *step,
                                      const char **explanation)
{
    bz_stream *stream = decoder;
    unsigned in = clamp(step->in_left), out = clamp(step->out_left);
    stream->next_in = (char *)(uintptr_t)step->in;
    stream->avail_in = in;
    stream->next_out = (char *)step->out;
    stream->avail_out = out;
    int result = BZ2_bzDecompress(stream);
    step->in += in - stream->avail_in;
    step->in_left -= in - stream->avail_in;
    step->out_left -= out - stream->avail_out;
    switch (result) {
    case BZ_OK:
        return CODEC_MORE;
    case BZ_STREAM_END:
        return CODEC_END;
    case BZ_MEM_ERROR:
        return CODEC_NO_MEMORY;
    case BZ_DATA_ERROR_MAGIC:
        *explanation = "neither a block nor the end of the stream";
        return CODEC_DAMAGED;
    default:
        *explanation = "invalid data, or a wrong checksum";
        return CODEC_DAMAGED;
    }
}

const struct codec codec_bzip2 = {
    .name = "bzip2",
    .suffix = ".bz2",
    .recognises = bzip2_recognises,
    .decoder_new = bzip2_decoder_new,
    .decode = bzip2_decode,
    .restart = bzip2_restart,
    .decoder_free = bzip2_decoder_free,
};
