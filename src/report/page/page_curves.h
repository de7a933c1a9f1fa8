/* SPDX-License-Identifier: MIT */
/* Lorenz curves of lifetimes weighted by bytes: of all objects, and of the largest types. */
#ifndef ETMERLIN_REPORT_PAGE_PAGE_CURVES_H
#define ETMERLIN_REPORT_PAGE_PAGE_CURVES_H

#include "report/form/form.h"
#include "report/lives/site_sums.h"

enum { PAGE_CURVE_TYPES = 10, PAGE_CURVE_POINTS = 100 };

/* The objects with the shortest lifetimes: their bytes, and the sum of their bytes times
 * lifetimes. */
struct page_curve_point {
    uint64_t weight;
    wide_sum sum;
};

struct page_curve {
    uint64_t whole; /* bytes in all */
    struct page_curve_point now;
    size_t count;
    struct page_curve_point points[PAGE_CURVE_POINTS + 1];
};

struct page_curves {
    const struct site_sums *sums;
    struct page_curve all;
    size_t type_count;
    /* In the sums; those with the most bytes first. */
    const struct tally *types[PAGE_CURVE_TYPES];
    struct page_curve of_types[PAGE_CURVE_TYPES];
    uint8_t *numbers; /* by index of a type: its number among `types`, from 1; 0: none */
};

/* Has `sums` make the curves in run_sums_finish. *curves must be zero, and stay where it is;
 * page_curves_free releases it. */
void page_curves_start(struct page_curves *curves, struct site_sums *sums);

/* Puts the curves, that of all objects first, and the points of all of them, as tables of the
 * data of the page; `names` may be NULL. */
void page_curves_put(struct form *form, const struct page_curves *curves,
                     const struct names *names);

void page_curves_free(struct page_curves *curves);

#endif
