/* SPDX-License-Identifier: MIT */
/* Where objects are allocated and where they die, and what they amount to there: by type, by
 * method and type, by context, line and type, by the context of the death, and by both. */
#ifndef ETMERLIN_REPORT_LIVES_SITE_SUMS_H
#define ETMERLIN_REPORT_LIVES_SITE_SUMS_H

#include "base/map.h"
#include "io/temporary/row_sort.h"
#include "merlin/recorders/contexts.h"
#include "report/figures.h"
#include "report/lives/live.h"
#include "report/lives/moments.h"
#include "report/lives/tallies.h"
#include "report/report.h"
#include "trace/names.h"

/* Spots: where in the source objects are allocated, which is a context and, if name lists have
 * it, the line in its innermost method. Zero-initialize it, but for `contexts` and `names`. */
struct site_lines {
    const struct contexts *contexts;
    const struct names *names; /* NULL: no line is known */
    struct map lines;          /* of sites: id -> number of its name, or 0, and 1 */
    struct name_index index;   /* of names; their numbers are from 1 on */
    uint64_t *firsts;          /* by number - 1: the first site of that name */
    size_t count, capacity;
    struct map spots; /* context and number of a name -> number of the spot, and 1 */
    uint32_t spot_count;
};

/* How lifetimes in bytes spread. Survivors live until the end of the trace. */
struct dispersion {
    uint64_t deaths; /* that have been added */
    uint64_t median; /* of what died */
    struct gini by_bytes;
    struct gini by_objects;
};

/* Tallies, and after run_sums_finish the dispersion of each. */
struct site_tallies {
    struct tallies tallies;
    struct dispersion *dispersions;
};

/* The visitor that gets the objects in ascending order of their lifetimes, after `start`. */
struct lifetime_visitor {
    enum status (*start)(void *context, struct failure *why);
    void (*visit)(void *context, uint32_t row, uint64_t lifetime, uint64_t size);
    void *context;
};

/* The rows that objects of a pair are also added up in. */
struct pair_rows {
    uint32_t by_context;
    uint32_t by_death;
};

struct site_sums {
    bool has_pairs;                   /* by_pair and by_death are there */
    const struct heap_moment *moment; /* only what is alive then is added up; NULL: all */
    const struct contexts *contexts;
    struct site_lines lines;
    bool has_uses;                  /* the trace records uses, so there is drag */
    const struct live_peaks *peaks; /* of the run */
    size_t allocated;               /* births, without prior objects (trace/record.h) */
    uint64_t all_bytes;             /* that the trace allocates */
    uint64_t prior_live;            /* bytes of prior objects that live when most bytes do */
    struct site_tallies by_type;
    struct site_tallies by_context; /* line and type */
    struct site_tallies by_method;  /* and type; from run_sums_finish on */
    struct site_tallies by_death; /* context of the death, and type; from run_sums_finish on */
    struct site_tallies by_pair;  /* both contexts, and type, in the order of death */
    struct pair_rows *pairs;      /* by row of by_pair: owned */
    size_t pair_capacity;
    uint32_t row;                /* of by_context: of the life that was added last */
    struct tallied_life tallied; /* what was added of it */
    struct dispersion all;       /* from run_sums_finish on */
    uint64_t deaths;             /* of what has been added, without prior objects */
    /* To be set before run_sums_finish; zero: there is no visitor. */
    struct lifetime_visitor visitor;
    struct row_sort *order; /* owned */
};

/* The sums of a run and of its moments, each made once for all reports that are made from it.
 * Zero-initialize it; run_sums_free ends it. */
struct run_sums {
    struct site_sums *items[MOMENTS_MOST + 1]; /* one more: that of all of the run */
    size_t count;
};

/* Sets *out to the sums at `moment`, or if that is NULL to those of all of the run, which has
 * contexts. Makes them if they are not there yet: adds up the births; also by pair if
 * `has_pairs`, and the run has death sites. `moment` is always the same pointer, and it and the
 * material must outlive *sums, which owns *out. */
enum status run_sums_find(struct run_sums *sums, const struct report_material *material,
                          const struct heap_moment *moment, bool has_pairs,
                          struct site_sums **out, struct failure *why) MUST_CHECK;

/* Adds the next life to all. Of prior objects nothing is added up but prior_live: the trace
 * does not show where they were allocated. */
enum status run_sums_add(struct run_sums *sums, const struct life_facts *life,
                         struct failure *why) MUST_CHECK;

/* All lives have been added: finds what depends on all of them. */
enum status run_sums_finish(struct run_sums *sums, struct failure *why) MUST_CHECK;

void run_sums_free(struct run_sums *sums);

/* The row of by_context of the objects of a type that a site and context have allocated. */
size_t site_sums_row(const struct site_sums *sums, uint32_t context, uint64_t site,
                     uint64_t type);

#endif
