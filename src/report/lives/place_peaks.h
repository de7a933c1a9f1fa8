/* SPDX-License-Identifier: MIT */
/* What lives of each context and type when most of it does, and when most bytes of all do. */
#ifndef ETMERLIN_REPORT_LIVES_PLACE_PEAKS_H
#define ETMERLIN_REPORT_LIVES_PLACE_PEAKS_H

#include "report/lives/places.h"

struct place_live {
    uint64_t objects;
    uint64_t bytes;
};

struct place_peaks {
    struct place_live now; /* while they are found */
    struct place_live own; /* just after the boundary after which most bytes of it live */
    struct place_live all; /* when most bytes of all places live */
};

/* Sets *peaks to an array by row of places->by_context, when all lives of `stream` have been
 * added. The caller owns it (free), also after a failure. */
enum status place_peaks_find(struct place_peaks **peaks, const struct places *places,
                             const struct life_stream *stream, struct failure *why) MUST_CHECK;

#endif
