/* SPDX-License-Identifier: MIT */
/* What lives of each context and type when most of it does, and when most bytes of all do. */
#ifndef ETMERLIN_REPORT_LIVES_SITE_PEAKS_H
#define ETMERLIN_REPORT_LIVES_SITE_PEAKS_H

#include "report/lives/site_sums.h"

struct site_live {
    uint64_t objects;
    uint64_t bytes;
};

struct site_peaks {
    struct site_live now; /* while they are found */
    struct site_live own; /* just after the boundary after which most bytes of it live */
    struct site_live all; /* when most bytes of all live */
};

/* Sets *peaks to an array by row of sums->by_context, when all lives of `stream` have been
 * added. The caller owns it (free), also after a failure. */
enum status site_peaks_find(struct site_peaks **peaks, const struct site_sums *sums,
                            const struct life_stream *stream, struct failure *why) MUST_CHECK;

#endif
