/* SPDX-License-Identifier: MIT */
/* The sites of two runs: what each run allocated there, how long it lived, and how much the two
 * differ, by the two-sample test of Kolmogorov and Smirnov. A site is a context and a type. */
#ifndef ETMERLIN_REPORT_MATCH_SITE_LIST_H
#define ETMERLIN_REPORT_MATCH_SITE_LIST_H

#include "base/symbols.h"
#include "io/temporary/row_sort.h"
#include "report/figures.h"

#include <stdbool.h>

/* Two samples, of count[0] and count[1] numbers, that are walked through together in ascending
 * order. Zero-initialize it but for the counts, which are not 0. */
struct two_samples {
    uint64_t count[2];
    uint64_t seen[2]; /* numbers passed so far */
    wide_sum most;    /* the greatest distance so far, times the product of both counts */
};

/* To be called when all numbers up to some value have been counted in `seen`: compares the two
 * distribution functions there. */
void two_samples_step(struct two_samples *samples);

/* The distance, from 0 to 1, in ten-thousandths, rounded half up. */
uint64_t two_samples_distance(const struct two_samples *samples);

/* Whether the distance is less than hundredths / 100, exactly. */
bool two_samples_is_below(const struct two_samples *samples, unsigned hundredths);

/* The probability that samples of one distribution are that far apart or farther, in
 * ten-thousandths, rounded half up: by the limiting distribution, as R's ks.test has it with
 * exact = FALSE. Where values are tied, as lifetimes are, the true one is smaller. */
uint64_t two_samples_p_value(const struct two_samples *samples);

enum { RUN_A, RUN_B, RUNS };

/* Fewest objects that a site must have in each run to be compared. */
enum { SITE_OBJECTS_LEAST = 30 };

/* What a run allocates at a site. A survivor is known to be long if more bytes than the
 * threshold were allocated after it; if not, it may be long or short, and is unknown. */
struct site_part {
    uint64_t objects;
    uint64_t bytes;
    uint64_t long_bytes;    /* of objects that live longer than the threshold */
    uint64_t unknown_bytes; /* of survivors that may be long or short */
};

struct match_site {
    uint32_t context; /* its number (vocabulary.h) */
    uint32_t type;    /* word */
    struct site_part parts[RUNS];
    bool is_compared; /* both runs have enough objects, and `samples` is set */
    bool is_called_long;
    struct two_samples samples;
};

/* Zero-initialize it; site_list_free ends it. */
struct site_list {
    struct match_site *sites; /* in the order of their first objects */
    size_t count;
    size_t capacity;
    struct interner numbers;    /* of sites, by context << 32 | type */
    struct row_sort *lifetimes; /* of all objects at sites */
};

/* Temporary files go to `temporary` (NULL: see spool_open). */
enum status site_list_open(struct site_list *list, const struct temporary_folder *temporary,
                           struct failure *why) MUST_CHECK;

/* An object to be added. */
struct site_object {
    uint32_t context, type; /* as in struct match_site */
    unsigned run;           /* RUN_A or RUN_B */
    uint64_t size;
    bool survives;
    uint64_t lifetime; /* in bytes; of a survivor, up to the end */
};

/* Adds an object, which is long if it lives longer than `threshold` bytes. STATUS_LIMIT: there
 * are 2^32 sites. */
enum status site_list_add(struct site_list *list, const struct site_object *object,
                          uint64_t threshold, struct failure *why) MUST_CHECK;

/* After all objects of both runs have been added: compares the lifetimes at sites that have
 * SITE_OBJECTS_LEAST objects in each run. Survivors count as living longer than all that die. A
 * site is called long if at least `purity` percent of its bytes in A, unknown ones not counted,
 * are long. */
enum status site_list_compare(struct site_list *list, uint64_t purity,
                              struct failure *why) MUST_CHECK;

/* Sets *ranked to the compared sites that differ, by their distance times their bytes in B, the
 * largest first, then in the order of the list; *count is their number. The caller owns *ranked
 * (free); it points into the list. */
enum status site_list_rank(const struct site_list *list, const struct match_site ***ranked,
                           size_t *count, struct failure *why) MUST_CHECK;

void site_list_free(struct site_list *list);

#endif
