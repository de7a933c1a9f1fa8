/* xz by liblzma, which itself knows what may follow a stream: another one, or
 * zeros in fours. So all streams in a row are one member here. */
#include "io/codec.h"

#include <lzma.h>
#include <stdlib.h>

static bool recognises(const uint8_t *head, size_t length)
{
    return codec_has_magic(head, length,
                           "\xfd"
                           "7zXZ",
                           6);
}

static enum codec_result restart(void *decoder)
{
    lzma_ret result = lzma_stream_decoder(decoder, UINT64_MAX, LZMA_CONCATENATED);
    return result == LZMA_OK ? CODEC_MORE : CODEC_NO_MEMORY;
}

static void coder_free(void *coder)
{
    lzma_end(coder);
    free(coder);
}

static lzma_stream *stream_new(void)
{
    lzma_stream *stream = malloc(sizeof *stream);
    if (stream)
        *stream = (lzma_stream)LZMA_STREAM_INIT;
    return stream;
}

static void *decoder_new(void)
{
    lzma_stream *stream = stream_new();
    if (stream && restart(stream) != CODEC_MORE) {
        coder_free(stream);
        return NULL;
    }
    return stream;
}

static lzma_ret run(lzma_stream *stream, struct codec_step *step)
{
    stream->next_in = step->in;
    stream->avail_in = step->in_left;
    stream->next_out = step->out;
    stream->avail_out = step->out_left;
    lzma_ret result = lzma_code(stream, step->in_ends ? LZMA_FINISH : LZMA_RUN);
    step->in = stream->next_in;
    step->in_left = stream->avail_in;
    step->out = stream->next_out;
    step->out_left = stream->avail_out;
    return result;
}

static const char *explain(lzma_ret result)
{
    switch (result) {
    case LZMA_FORMAT_ERROR:
        return "neither a stream nor padding";
    case LZMA_OPTIONS_ERROR:
        return "unsupported options";
    default:
        return "invalid data, or a wrong checksum";
    }
}

static enum codec_result decode(void *decoder, struct codec_step *step,
                                const char **explanation)
{
    lzma_ret result = run(decoder, step);
    switch (result) {
    case LZMA_OK:
    case LZMA_BUF_ERROR:
        return CODEC_MORE;
    case LZMA_STREAM_END:
        return CODEC_END;
    case LZMA_MEM_ERROR:
        return CODEC_NO_MEMORY;
    default:
        *explanation = explain(result);
        return CODEC_DAMAGED;
    }
}

static void *encoder_new(int level, unsigned threads)
{
    (void)threads;
    lzma_stream *stream = stream_new();
    if (stream && lzma_easy_encoder(stream, (uint32_t)level, LZMA_CHECK_CRC64) != LZMA_OK) {
        coder_free(stream);
        return NULL;
    }
    return stream;
}

static enum codec_result encode(void *encoder, struct codec_step *step)
{
    switch (run(encoder, step)) {
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
    .recognises = recognises,
    .decoder_new = decoder_new,
    .decode = decode,
    .restart = restart,
    .decoder_free = coder_free,
    .encoder_new = encoder_new,
    .encode = encode,
    .encoder_free = coder_free,
};
