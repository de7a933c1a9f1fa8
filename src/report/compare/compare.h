/* SPDX-License-Identifier: MIT */
/* Compares recorded deaths with computed ones: which recorded death belongs to which
 * allocation, how the two deaths of each compare, and the reports of that. */
#ifndef ETMERLIN_REPORT_COMPARE_COMPARE_H
#define ETMERLIN_REPORT_COMPARE_COMPARE_H

#include "merlin/death_pairing.h"
#include "merlin/lives/lives.h"
#include "merlin/merge.h"
#include "report/compare/alignment.h"
#include "report/figures.h"
#include "report/form/common.h"
#include "report/report_settings.h"

/* Which recorded death belongs to which allocation. */
struct pairing {
    node_t *death_of; /* by allocation: its death, from 1; 0: none */
    uint8_t *fates;   /* by death: enum death_fate */
};

/* Pairs the deaths with allocations of the same object (pair_deaths). By allocation, `computed`
 * are the ticks of death, or NEVER, and `uses` the last uses. By time, what
 * is allocated before the time of a death is before it, wherever it stands; a death at the last
 * boundary may mean the end of the trace, and belong to what is allocated after that boundary;
 * one at the tick of the first allocation is early, not of an object before it. pairing_free
 * releases *pairing, also after a failure. */
enum status pairing_init(struct pairing *pairing, const struct alignment *alignment,
                         const uint64_t *computed, const struct proof *uses,
                         struct failure *why) MUST_CHECK;

void pairing_free(struct pairing *pairing);

/* How the two deaths of an allocation compare. */
enum compare_class {
    CLASS_SAME,    /* also: neither has one */
    CLASS_EARLY,   /* recorded before computed */
    CLASS_LATE,    /* recorded after computed */
    CLASS_MISSING, /* computed, not recorded */
    CLASS_EXTRA,   /* recorded; computed alive at the end */
    CLASS_COUNT
};

/* How far apart two deaths are, in ranges of ticks. */
enum compare_range { RANGE_1, RANGE_2_TO_3, RANGE_4_TO_10, RANGE_ABOVE_10, RANGE_COUNT };

/* Distances in ticks between recorded and computed deaths. */
struct compare_distances {
    struct distribution distribution;
    uint64_t ranges[RANGE_COUNT]; /* how many; 0 is in none */
};

struct compare_figures {
    uint64_t allocations;
    uint64_t classes[CLASS_COUNT]; /* allocations of each class */
    uint64_t same_alive;           /* of the same ones: without a death */
    /* Of each class: a record that stands after the recorded death uses the object. */
    uint64_t impossible[CLASS_COUNT];
    uint64_t deaths; /* recorded ones; of these: */
    uint64_t unknown;
    uint64_t repeated;
    struct compare_distances early;
    struct compare_distances late;
    struct compare_distances all; /* of allocations with both deaths; of the same ones 0 */
};

struct comparison {
    const struct alignment *alignment;
    struct lives_in_order computed; /* deaths at the end as well, with AT_END_DIE */
    struct pairing pairing;
    struct compare_figures figures;
};

/* Compares. `lives` are those of the alignment's trace, with proofs (WANT_PROOFS). The
 * alignment must outlive *comparison; compare_free releases it, also after a failure. */
enum status compare(struct comparison *comparison, const struct alignment *alignment,
                    const struct life_stream *lives, enum at_end at_end,
                    struct failure *why) MUST_CHECK;

/* Whether all is the same and no recorded death is left over. */
bool compare_agrees(const struct compare_figures *figures);

/* The report on one allocation. Lines are 0 where there is none. */
struct compare_row {
    enum compare_class verdict;
    uint64_t line; /* of the allocation, in the trace */
    uint64_t object;
    uint64_t thread; /* 0 if the trace has none */
    uint64_t allocated;
    uint64_t computed;
    bool is_dead;           /* by computation; else computed means nothing */
    uint64_t recorded;      /* if there is a line of it */
    uint64_t recorded_line; /* in the file of the recorded deaths */
    uint64_t used_line;     /* of the last use, if the recorded death is impossible */
};

/* The row of allocation number `allocation`, from 0. All times are the clock's, and as
 * written if compared by time. */
struct compare_row compare_row(const struct comparison *comparison, size_t allocation);

void compare_free(struct comparison *comparison);

struct agreement {
    struct assumptions assumptions;
    struct compare_figures figures;
};

/* Sorts: first where most are the same, then where fewest deaths are left over, then in the
 * order in which the manual page lists the assumptions. */
void agreement_sort(struct agreement *agreements, size_t count);

/* Prints figures, then the first `show` differing allocations and the first `show` recorded
 * deaths that belong to none, in the order of their files; etmerlin-reports(5) has the
 * keys. A table has a line an allocation. */
void compare_print(struct print *print, enum report_format format,
                   const struct comparison *comparison, const struct trace_origin *origin,
                   uint64_t show);

/* Prints the `count` agreements as they are sorted. */
void compare_print_all(struct print *print, enum report_format format,
                       const struct alignment *alignment, const struct trace_origin *origin,
                       const struct agreement *agreements, size_t count);

#endif
