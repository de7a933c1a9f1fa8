/* SPDX-License-Identifier: MIT */
/* A window on a source: its next bytes, side by side, to be looked at before they are taken.
 * Readers of binary formats load fields from it, with base/bytes.h. */
#ifndef ETMERLIN_IO_WINDOW_H
#define ETMERLIN_IO_WINDOW_H

#include "base/bytes.h"
#include "base/status.h"
#include "io/source.h"

/* Zero-initialize it but for the source; window_free ends it. */
struct window {
    struct source *source; /* not owned */
    uint8_t *bytes;
    size_t capacity;
    size_t begin, end; /* of what can be taken, in `bytes` */
    uint64_t offset;   /* of the first byte that can be taken, from the start of the source */
    bool at_end;       /* the source has no more */
};

/* Reads on until at least `wanted` bytes can be taken, or all that are left when the
 * source has fewer. *load becomes what can be taken; it is good until the next call. */
enum status window_fill(struct window *window, size_t wanted, struct load *load,
                        struct failure *why) MUST_CHECK;

/* Takes all bytes up to where `load`, which window_fill has set, has come. */
static inline void window_take(struct window *window, const struct load *load)
{
    size_t begin = (size_t)(load->at - window->bytes);
    window->offset += begin - window->begin;
    window->begin = begin;
}

/* Starts again at the first byte of the source, which is rewound. */
void window_rewind(struct window *window);

void window_free(struct window *window);

#endif
