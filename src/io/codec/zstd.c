/* SPDX-License-Identifier: MIT */
/* zstd, with windows as long as the library can do: traces compressed with
 * --long are common, since they compress so well. */
#include "io/codec/codec.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

enum { ENOUGH_TO_START = 4 << 20 };

/* Skippable frames have one of 16 magic numbers. */
static bool is_skippable(const uint8_t *head, size_t length)
{
    return length >= 4 && (head[0] & 0xf0) == 0x50 && memcmp(head + 1, "\x2a\x4d\x18", 3) == 0;
}

static bool zstd_recognises(const uint8_t *head, size_t length)
{
    return codec_has_magic(head, length, "\x28\xb5\x2f\xfd", 4) || is_skippable(head, length);
}

static void *zstd_decoder_new(void)
{
    ZSTD_DCtx *context = ZSTD_createDCtx();
    if (!context)
        return NULL;
    ZSTD_bounds bounds = ZSTD_dParam_getBounds(ZSTD_d_windowLogMax);
    ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, bounds.upperBound);
    return context;
}

static enum codec_result zstd_restart(void *decoder)
{
    ZSTD_DCtx_reset(decoder, ZSTD_reset_session_only);
    return CODEC_MORE;
}

static void zstd_decoder_free(void *decoder)
{
    ZSTD_freeDCtx(decoder);
}

static enum codec_result zstd_decode(void *decoder, struct codec_step *step,
                                     const char **explanation)
{
    ZSTD_inBuffer in = {step->in, step->in_left, 0};
    ZSTD_outBuffer out = {step->out, step->out_left, 0};
    size_t result = ZSTD_decompressStream(decoder, &out, &in);
    step->in += in.pos;
    step->in_left -= in.pos;
    step->out_left -= out.pos;
    if (!ZSTD_isError(result))
        return result == 0 ? CODEC_END : CODEC_MORE;
    if (ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation)
        return CODEC_NO_MEMORY;
    *explanation = ZSTD_getErrorName(result);
    return CODEC_DAMAGED;
}

/* Makes the library start its threads now. Up to 1.5.4 it crashes when it finds no memory for
 * that, so some is asked for, and given back, first: far more than it takes. */
static bool start_threads(ZSTD_CCtx *context)
{
    void *probe = malloc(ENOUGH_TO_START);
    if (!probe)
        return false;
    free(probe);
    char byte;
    ZSTD_inBuffer in = {"", 0, 0};
    ZSTD_outBuffer out = {&byte, 1, 0};
    return !ZSTD_isError(ZSTD_compressStream2(context, &out, &in, ZSTD_e_continue));
}

/* A library that was built without threads refuses them, and works in the caller's. */
static void *zstd_encoder_new(int level, unsigned threads)
{
    ZSTD_CCtx *context = ZSTD_createCCtx();
    if (!context)
        return NULL;
    ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level);
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
    ZSTD_CCtx_setParameter(context, ZSTD_c_nbWorkers, (int)threads);
    if (!threads || start_threads(context))
        return context;
    ZSTD_freeCCtx(context);
    return NULL;
}

static enum codec_result zstd_encode(void *encoder, struct codec_step *step)
{
    ZSTD_inBuffer in = {step->in, step->in_left, 0};
    ZSTD_outBuffer out = {step->out, step->out_left, 0};
    ZSTD_EndDirective directive = step->in_ends ? ZSTD_e_end : ZSTD_e_continue;
    size_t result = ZSTD_compressStream2(encoder, &out, &in, directive);
    step->in += in.pos;
    step->in_left -= in.pos;
    step->out_left -= out.pos;
    if (ZSTD_isError(result))
        return CODEC_NO_MEMORY; /* there is nothing else that can go wrong */
    return step->in_ends && result == 0 ? CODEC_END : CODEC_MORE;
}

static void zstd_encoder_free(void *encoder)
{
    ZSTD_freeCCtx(encoder);
}

const struct codec codec_zstd = {
    .name = "zstd",
    .suffix = ".zst",
    .decodes_fast = true,
    .can_encode = true,
    .encodes_on = true,
    .level_min = 1,
    .level_max = 22,
    .level_default = 3,
    .recognises = zstd_recognises,
    .decoder_new = zstd_decoder_new,
    .decode = zstd_decode,
    .restart = zstd_restart,
    .decoder_free = zstd_decoder_free,
    .encoder_new = zstd_encoder_new,
    .encode = zstd_encode,
    .encoder_free = zstd_encoder_free,
};
