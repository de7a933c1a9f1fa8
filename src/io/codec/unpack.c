/* SPDX-License-Identifier: MIT */
/* Compressed files may consist of several members in a row, and each ends where
 * its decoder says. After that there must be another member, or nothing: what
 * is not understood is never passed over. */
#include "io/codec/unpack.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { INPUT_SIZE = 128 * 1024 };

/* Where in the data the unpacker is. */
enum stage { BEFORE_MEMBER, IN_MEMBER, IN_PADDING, AT_CUT };

struct unpacker {
    const struct codec *codec;
    void *decoder;
    unpack_input input;
    void *context;
    const char *name;
    enum stage stage;
    bool is_fresh;  /* no member has begun */
    bool in_ends;   /* the input has no more */
    bool takes_cut; /* see unpacker_open */
    const char *cut_advice;
    uint64_t taken; /* compressed bytes so far */
    const uint8_t *next;
    size_t left; /* bytes at `next` */
    uint8_t buffer[INPUT_SIZE];
};

enum status unpacker_open(struct unpacker **out, const struct codec *codec, unpack_input input,
                          void *context, const char *name, bool takes_cut,
                          const char *cut_advice, struct failure *why)
{
    struct unpacker *unpacker = malloc(sizeof *unpacker);
    void *decoder = codec->decoder_new();
    if (!unpacker || !decoder) {
        free(unpacker);
        if (decoder)
            codec->decoder_free(decoder);
        return fail_memory(why);
    }
    unpacker->codec = codec;
    unpacker->decoder = decoder;
    unpacker->input = input;
    unpacker->context = context;
    unpacker->name = name;
    unpacker->takes_cut = takes_cut;
    unpacker->cut_advice = cut_advice;
    unpacker_rewind(unpacker);
    *out = unpacker;
    return STATUS_OK;
}

void unpacker_rewind(struct unpacker *unpacker)
{
    unpacker->stage = BEFORE_MEMBER;
    unpacker->is_fresh = true;
    unpacker->in_ends = false;
    unpacker->taken = 0;
    unpacker->left = 0;
}

bool unpacker_is_cut(const struct unpacker *unpacker)
{
    return unpacker->stage == AT_CUT;
}

void unpacker_close(struct unpacker *unpacker)
{
    if (!unpacker)
        return;
    unpacker->codec->decoder_free(unpacker->decoder);
    free(unpacker);
}

/* Ensures that at least `wanted` compressed bytes are there, if there are so many. */
static enum status unpack_fill(struct unpacker *unpacker, size_t wanted, struct failure *why)
{
    if (unpacker->left >= wanted || unpacker->in_ends)
        return STATUS_OK;
    if (unpacker->left > 0)
        memmove(unpacker->buffer, unpacker->next, unpacker->left);
    unpacker->next = unpacker->buffer;
    while (unpacker->left < wanted && !unpacker->in_ends) {
        size_t got;
        TRY(unpacker->input(unpacker->context, unpacker->buffer + unpacker->left,
                            INPUT_SIZE - unpacker->left, &got, why));
        unpacker->left += got;
        unpacker->in_ends = got == 0;
    }
    return STATUS_OK;
}

static void unpack_take(struct unpacker *unpacker, size_t length)
{
    unpacker->next += length;
    unpacker->left -= length;
    unpacker->taken += length;
}

static enum status refuse(const struct unpacker *unpacker, const char *what, const char *advice,
                          struct failure *why)
{
    return fail_at(why, STATUS_SYNTAX, unpacker->name, 0,
                   "The %s data %s, at byte %" PRIu64 " of the compressed data%s%s",
                   unpacker->codec->name, what, unpacker->taken, advice ? "; " : "",
                   advice ? advice : "");
}

/* Begins the next member, or notices that there is none. */
static enum status begin_member(struct unpacker *unpacker, struct failure *why)
{
    TRY(unpack_fill(unpacker, CODEC_HEAD, why));
    if (unpacker->left == 0)
        return STATUS_OK;
    const struct codec *codec = unpacker->codec;
    size_t length = unpacker->left < CODEC_HEAD ? unpacker->left : CODEC_HEAD;
    if (codec->recognises(unpacker->next, length)) {
        unpacker->stage = IN_MEMBER;
        unpacker->is_fresh = false;
        return codec->restart(unpacker->decoder) == CODEC_MORE ? STATUS_OK : fail_memory(why);
    }
    if (!codec->zeros_may_follow || unpacker->is_fresh)
        return refuse(unpacker, "are followed by something else", NULL, why);
    unpacker->stage = IN_PADDING;
    return STATUS_OK;
}

static enum status skip_padding(struct unpacker *unpacker, struct failure *why)
{
    enum status status = unpack_fill(unpacker, 1, why);
    while (status == STATUS_OK && unpacker->left > 0) {
        if (unpacker->next[0] != 0)
            return refuse(unpacker, "are followed by something else", NULL, why);
        unpack_take(unpacker, 1);
        status = unpack_fill(unpacker, 1, why);
    }
    return status;
}

/* The input has no more, but the member goes on. */
static enum status end_too_early(struct unpacker *unpacker, struct failure *why)
{
    if (!unpacker->takes_cut)
        return refuse(unpacker, "end too early: they are incomplete", unpacker->cut_advice,
                      why);
    unpacker->stage = AT_CUT;
    return STATUS_OK;
}

/* One step within a member. */
static enum status unpack_decode(struct unpacker *unpacker, void *bytes, size_t capacity,
                                 size_t *got, struct failure *why)
{
    TRY(unpack_fill(unpacker, 1, why));
    struct codec_step step = {unpacker->next, unpacker->left, unpacker->in_ends, bytes,
                              capacity};
    const char *explanation = NULL;
    enum codec_result result = unpacker->codec->decode(unpacker->decoder, &step, &explanation);
    bool had_input = unpacker->left > 0;
    unpack_take(unpacker, unpacker->left - step.in_left);
    *got = capacity - step.out_left;
    if (result == CODEC_NO_MEMORY)
        return fail_memory(why);
    if (result == CODEC_DAMAGED)
        return fail_at(why, STATUS_SYNTAX, unpacker->name, 0,
                       "The %s data are damaged; decoding stopped at byte %" PRIu64
                       " of the compressed data: %s",
                       unpacker->codec->name, unpacker->taken, explanation);
    if (result == CODEC_END)
        unpacker->stage = BEFORE_MEMBER;
    else if (!had_input && *got == 0)
        return end_too_early(unpacker, why);
    return STATUS_OK;
}

enum status unpacker_read(struct unpacker *unpacker, void *bytes, size_t capacity, size_t *got,
                          struct failure *why)
{
    enum status status = STATUS_OK;
    *got = 0;
    while (status == STATUS_OK && *got == 0) {
        if (unpacker->stage == BEFORE_MEMBER)
            status = begin_member(unpacker, why);
        if (status != STATUS_OK || unpacker->stage == BEFORE_MEMBER ||
            unpacker->stage == AT_CUT)
            break;
        if (unpacker->stage == IN_PADDING)
            return skip_padding(unpacker, why);
        status = unpack_decode(unpacker, bytes, capacity, got, why);
    }
    return status;
}
