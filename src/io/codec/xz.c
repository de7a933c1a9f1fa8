/* SPDX-License-Identifier: MIT */
/* xz by liblzma, which itself knows what may follow a stream: another one, or
 * zeros in fours. So all streams in a row are one member here.
 *
 * The library waits for the whole header of a stream before it looks at it. When less than that
 * follows a stream, and is no beginning of a header, it is not the data that end too early: to
 * distinguish these cases, the decoder keeps the last bytes that went in. */
#include "io/codec/codec.h"

#include <lzma.h>
#include <stdlib.h>
#include <string.h>

enum { TAIL_SIZE = 2 * LZMA_STREAM_HEADER_SIZE - 1 };

struct decoder {
    lzma_stream stream;
    uint8_t tail[TAIL_SIZE]; /* the last bytes of the input */
    size_t tail_length;
};

static bool xz_recognises(const uint8_t *head, size_t length)
{
    return codec_has_magic(head, length,
                           "\xfd"
                           "7zXZ",
                           6);
}

static enum codec_result xz_restart(void *context)
{
    struct decoder *decoder = context;
    decoder->tail_length = 0;
    lzma_ret result = lzma_stream_decoder(&decoder->stream, UINT64_MAX, LZMA_CONCATENATED);
    return result == LZMA_OK ? CODEC_MORE : CODEC_NO_MEMORY;
}

static void xz_decoder_free(void *context)
{
    struct decoder *decoder = context;
    lzma_end(&decoder->stream);
    free(decoder);
}

static void *xz_decoder_new(void)
{
    struct decoder *decoder = malloc(sizeof *decoder);
    if (!decoder)
        return NULL;
    decoder->stream = (lzma_stream)LZMA_STREAM_INIT;
    if (xz_restart(decoder) != CODEC_MORE) {
        xz_decoder_free(decoder);
        return NULL;
    }
    return decoder;
}

static lzma_ret xz_run(lzma_stream *stream, struct codec_step *step)
{
    stream->next_in = step->in;
    stream->avail_in = step->in_left;
    stream->next_out = step->out;
    stream->avail_out = step->out_left;
    lzma_ret result = lzma_code(stream, step->in_ends ? LZMA_FINISH : LZMA_RUN);
    step->in = stream->next_in;
    step->in_left = stream->avail_in;
    step->out_left = stream->avail_out;
    return result;
}

static const char *xz_explain(lzma_ret result)
{
    switch (result) {
    case LZMA_FORMAT_ERROR:
        return "the bytes after it are neither a stream nor padding";
    case LZMA_OPTIONS_ERROR:
        return "unsupported options";
    default:
        return "invalid data, or a wrong checksum";
    }
}

static void keep_tail(struct decoder *decoder, const uint8_t *bytes, size_t length)
{
    size_t added = length < TAIL_SIZE ? length : TAIL_SIZE;
    size_t kept =
        decoder->tail_length < TAIL_SIZE - added ? decoder->tail_length : TAIL_SIZE - added;
    memmove(decoder->tail, decoder->tail + decoder->tail_length - kept, kept);
    memcpy(decoder->tail + kept, bytes + length - added, added);
    decoder->tail_length = kept + added;
}

/* Whether the input ends with the footer of a stream and something that is not the beginning
 * of another one. */
static bool ends_with_garbage(const struct decoder *decoder)
{
    lzma_stream_flags flags;
    for (size_t at = 0; at + LZMA_STREAM_HEADER_SIZE < decoder->tail_length; at++) {
        const uint8_t *rest = decoder->tail + at + LZMA_STREAM_HEADER_SIZE;
        size_t length = decoder->tail_length - at - LZMA_STREAM_HEADER_SIZE;
        if (lzma_stream_footer_decode(&flags, decoder->tail + at) == LZMA_OK)
            return !xz_recognises(rest, length);
    }
    return false;
}

static enum codec_result xz_decode(void *context, struct codec_step *step,
                                   const char **explanation)
{
    struct decoder *decoder = context;
    const uint8_t *in = step->in;
    size_t room = step->out_left;
    bool is_stuck;
    lzma_ret result = xz_run(&decoder->stream, step);
    keep_tail(decoder, in, (size_t)(step->in - in));
    switch (result) {
    case LZMA_OK:
    case LZMA_BUF_ERROR:
        is_stuck = step->in_ends && step->in == in && step->out_left == room;
        if (!is_stuck || !ends_with_garbage(decoder))
            return CODEC_MORE;
        *explanation = "the bytes after it are neither a stream nor padding";
        return CODEC_DAMAGED;
    case LZMA_STREAM_END:
        return CODEC_END;
    case LZMA_MEM_ERROR:
        return CODEC_NO_MEMORY;
    default:
        *explanation = xz_explain(result);
        return CODEC_DAMAGED;
    }
}

static void xz_encoder_free(void *coder)
{
    lzma_end(coder);
    free(coder);
}

static void *xz_encoder_new(int level, unsigned threads)
{
    (void)threads;
    lzma_stream *stream = malloc(sizeof *stream);
    if (!stream)
        return NULL;
    *stream = (lzma_stream)LZMA_STREAM_INIT;
    if (lzma_easy_encoder(stream, (uint32_t)level, LZMA_CHECK_CRC64) != LZMA_OK) {
        xz_encoder_free(stream);
        return NULL;
    }
    return stream;
}

static enum codec_result xz_encode(void *encoder, struct codec_step *step)
{
    switch (xz_run(encoder, step)) {
    case LZMA_OK:
    case LZMA_BUF_ERROR:
        return CODEC_MORE;
    case LZMA_STREAM_END:
        return CODEC_END;
    default:
        return CODEC_NO_MEMORY; /* there is nothing else that can go wrong */
    }
}

const struct codec codec_xz = {
    .name = "xz",
    .suffix = ".xz",
    .can_encode = true,
    .level_min = 0,
    .level_max = 9,
    .level_default = 1, /* on traces, 6 takes twelve times as long to save a fifth */
    .recognises = xz_recognises,
    .decoder_new = xz_decoder_new,
    .decode = xz_decode,
    .restart = xz_restart,
    .decoder_free = xz_decoder_free,
    .encoder_new = xz_encoder_new,
    .encode = xz_encode,
    .encoder_free = xz_encoder_free,
};
