/* SPDX-License-Identifier: MIT */
/* The report of --stats: what was allocated, how long it lived, and why it died. */
#ifndef ETMERLIN_REPORT_LIVES_STATS_H
#define ETMERLIN_REPORT_LIVES_STATS_H

#include "report/assumptions.h"
#include "report/figures.h"
#include "report/lives/live.h"
#include "report/lives/lives.h"
#include "report/lives/places.h"
#include "report/lives/tallies.h"
#include "report/report.h"
#include "trace/names.h"
#include "trace/record_layout.h"

#include <stdbool.h>

struct stats_amount {
    uint64_t objects;
    uint64_t bytes;
};

/* How much outlives an amount of allocation (the question of how large a nursery should be).
 * Eligible are the objects after which at least so much is allocated in the trace. */
struct stats_survival {
    uint64_t limit; /* bytes allocated after the object */
    struct stats_amount eligible;
    struct stats_amount survived; /* did not die before */
};

enum { STATS_SURVIVALS = 6 };

/* Groups (merlin/causes.h) of up to 2^i objects, and of more than the class before has. */
struct stats_groups {
    uint64_t groups;
    uint64_t cyclic; /* of these: they have a cycle */
    struct stats_amount amount;
};

enum { STATS_GROUP_CLASSES = 64 };

/* Space-time: sums of size times bytes that were allocated during phases of lives (uses.h). */
struct stats_phases {
    wide_sum lag, use, drag, voids;
};

/* So many objects that died before their last use are named. */
enum { STATS_NAMED = 10 };

/* What is described of each life that ended: lifetimes in ticks and bytes, drag. */
enum { STATS_TICKS, STATS_BYTES, STATS_DRAG, STATS_ORDERS };

struct stats {
    const char *name; /* of the trace */
    const struct history *history;
    const struct lives *lives;             /* NULL: of stored ones */
    uint64_t bytes_in_all;                 /* that the trace allocates */
    const struct assumptions *assumptions; /* NULL: the deaths are those that were recorded */

    struct stats_amount allocated[RECORD_KINDS]; /* by kind of record */
    struct stats_amount died;
    struct stats_amount alive;
    struct stats_amount used_once; /* no record but their allocation uses them */
    struct distribution ticks;     /* lifetimes */
    struct distribution bytes;
    struct distribution drag; /* in ticks; without what died before its last use */
    struct stats_amount died_before_use;
    uint64_t named[STATS_NAMED]; /* the first of these objects, in the order of the trace */
    struct stats_survival survivals[STATS_SURVIVALS];
    struct stats_amount causes[CAUSE_COUNT];
    struct stats_groups groups[STATS_GROUP_CLASSES];
    struct row_sort *orders[STATS_ORDERS]; /* of stored lives: of what is described; owned */
    struct stats_phases phases[2];         /* of what died, and of what is alive at the end */
    struct tallies sites;
    const struct places *places;
};

/* After the propagation. What *stats is made of must outlive it, but for the assumptions, which
 * the caller sets; stats_free releases it. */
void stats_init(struct stats *stats, const char *name, const struct history *history,
                const struct places *places);

/* Finds what the lives tell, which may run beside stats_add in another thread. */
enum status stats_study(struct stats *stats, struct failure *why) MUST_CHECK;

/* The next allocation of the trace is `record`, and `life` what is added up of its life. To be
 * called for all of them. */
enum status stats_add(struct stats *stats, const struct record *record,
                      const struct tallied_life *life, struct failure *why) MUST_CHECK;

/* As stats_init, of stored lives; stats_add_stored is then called for each of them. */
enum status stats_init_stored(struct stats *stats, const struct report_material *material,
                              struct failure *why) MUST_CHECK;

/* `tallied` is what places_tallied_stored makes of the life. */
enum status stats_add_stored(struct stats *stats, const struct life_facts *life,
                             const struct tallied_life *tallied,
                             struct failure *why) MUST_CHECK;

/* All lives have been added. */
enum status stats_complete(struct stats *stats, struct failure *why) MUST_CHECK;

/* How many records of `kind` the trace with these deaths has. */
uint64_t stats_events(const struct stats *stats, unsigned kind);

/* Whether the trace tells uses of objects other than their allocations; formats that hold
 * lifetimes alone do not, and then nothing can be said of drag and of what is used once. */
bool stats_has_uses(const struct stats *stats);

/* What all kinds amount to. */
struct stats_amount stats_allocated(const struct stats *stats);

void stats_free(struct stats *stats);

#endif
