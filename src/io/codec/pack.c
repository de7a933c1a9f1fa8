/* SPDX-License-Identifier: MIT */
/* Steps an encoder and hands on what comes out of it. Encoders gather small pieces
 * themselves, so there is no buffer before them. */
#include "io/codec/pack.h"

#include <stdlib.h>

enum { OUTPUT_SIZE = 128 * 1024 };

struct packer {
    const struct codec *codec;
    void *encoder;
    pack_output output;
    void *context;
    uint8_t buffer[OUTPUT_SIZE];
};

enum status packer_open(struct packer **out, const struct compression *how, pack_output output,
                        void *context, struct failure *why)
{
    struct packer *packer = malloc(sizeof *packer);
    if (!packer)
        return fail_memory(why);
    packer->codec = how->codec;
    packer->encoder = how->codec->encoder_new(how->level, how->threads);
    if (!packer->encoder) {
        free(packer);
        return fail_memory(why);
    }
    packer->output = output;
    packer->context = context;
    *out = packer;
    return STATUS_OK;
}

/* Encodes until all input is taken, or the encoder has come to its end. */
static enum status pack_encode(struct packer *packer, struct codec_step *step,
                               struct failure *why)
{
    enum codec_result result;
    do {
        step->out = packer->buffer;
        step->out_left = OUTPUT_SIZE;
        result = packer->codec->encode(packer->encoder, step);
        if (result == CODEC_NO_MEMORY)
            return fail_memory(why);
        size_t length = OUTPUT_SIZE - step->out_left;
        if (length > 0) {
            TRY(packer->output(packer->context, packer->buffer, length, why));
        }
    } while (step->in_ends ? result != CODEC_END : step->in_left > 0);
    return STATUS_OK;
}

enum status packer_write(struct packer *packer, const void *bytes, size_t length,
                         struct failure *why)
{
    struct codec_step step = {.in = bytes, .in_left = length};
    return pack_encode(packer, &step, why);
}

enum status packer_finish(struct packer *packer, struct failure *why)
{
    struct codec_step step = {.in = (const uint8_t *)"", .in_ends = true};
    return pack_encode(packer, &step, why);
}

void packer_close(struct packer *packer)
{
    if (!packer)
        return;
    packer->codec->encoder_free(packer->encoder);
    free(packer);
}
