/* SPDX-License-Identifier: MIT */
/* A codec: one format of compressed data. What all of them have in common
 * (input in pieces, members in a row, what may follow the last one, messages)
 * is in unpack.c and pack.c; a codec only steps through one member. */
#ifndef ETMERLIN_IO_CODEC_CODEC_H
#define ETMERLIN_IO_CODEC_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where a step takes bytes from, and where it puts bytes. It moves `in` forward, and counts
 * down what is left; `out` stays. */
struct codec_step {
    const uint8_t *in;
    size_t in_left;
    bool in_ends; /* nothing follows these bytes */
    uint8_t *out;
    size_t out_left;
};

enum codec_result {
    CODEC_MORE,    /* more input, or more room, is needed to go on */
    CODEC_END,     /* the member is complete */
    CODEC_DAMAGED, /* the input is not what the codec writes */
    CODEC_NO_MEMORY,
};

/* How much of the input `recognises` needs to see. */
enum { CODEC_HEAD = 6 };

struct codec {
    const char *name;
    const char *suffix;    /* of file names */
    bool decodes_fast;     /* decoding twice takes less time than keeping a copy */
    bool zeros_may_follow; /* the last member may be padded with zeros, as on tapes */
    bool can_encode;       /* whether there is an encoder, with these levels */
    bool encodes_on;       /* one encoder can write several members */
    int level_min, level_max, level_default;

    /* Whether a member begins with the `length` bytes at `head`: CODEC_HEAD of
     * them, or fewer if that is all. A truncated head is recognised, too. */
    bool (*recognises)(const uint8_t *head, size_t length);

    /* A decoder at the start of a member; NULL: no memory. */
    void *(*decoder_new)(void);
    /* Goes on decoding. CODEC_DAMAGED: *explanation says how, in lower case (a
     * constant string). */
    enum codec_result (*decode)(void *decoder, struct codec_step *step,
                                const char **explanation);
    /* Puts the decoder at the start of a member. CODEC_MORE or CODEC_NO_MEMORY. */
    enum codec_result (*restart)(void *decoder);
    void (*decoder_free)(void *decoder);

    /* An encoder that may use `threads` threads in addition to the caller's where it can;
     * what it writes does not depend on how many, if there are any. NULL: no memory. */
    void *(*encoder_new)(int level, unsigned threads);
    /* Goes on encoding; with in_ends, to the end (CODEC_END). Where `encodes_on`, the encoder
     * is then at the start of another member. */
    enum codec_result (*encode)(void *encoder, struct codec_step *step);
    void (*encoder_free)(void *encoder);
};

extern const struct codec codec_bzip2, codec_gzip, codec_xz, codec_zstd;

/* The codec of data that begin with `head`, as described at `recognises`; NULL: the
 * data are not compressed. */
const struct codec *codec_of_content(const uint8_t *head, size_t length);

/* What the data that begin with `head` are compressed with, if that cannot be read here;
 * *command becomes the command that decompresses it. NULL: nothing of the kind is known. Lines
 * of the text may be left whole in such data, so they could be taken for a trace. */
const char *codec_unreadable(const uint8_t *head, size_t length, const char **command);

/* The codec whose suffix `path` ends with, or NULL. */
const struct codec *codec_of_path(const char *path);

/* The compression that the suffix of the name `path` promises and that cannot be written: of a
 * codec without encoder, or one that there is no codec for; NULL: none. */
const char *codec_unwritable(const char *path);

/* The codec with the name of `length` bytes at `name`, or NULL. */
const struct codec *codec_of_name(const char *name, size_t length);

/* Whether the `length` bytes at `head` begin with the magic number, or are all
 * within it. For the codecs' own use. */
bool codec_has_magic(const uint8_t *head, size_t length, const char *magic,
                     size_t magic_length);

#endif
