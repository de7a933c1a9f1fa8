/* The report of --stats: what was allocated, how long it lived, and why it died. */
#ifndef ETMERLIN_REPORT_STATS_H
#define ETMERLIN_REPORT_STATS_H

#include "report/assumptions.h"
#include "report/figures.h"
#include "report/ledger.h"
#include "report/live.h"
#include "report/tallies.h"
#include "trace/names.h"

#include <stdbool.h>

struct stats_amount {
    uint64_t objects;
    uint64_t bytes;
};

/* How much outlives an amount of allocation (the question of how large a nursery should be).
 * Asked of all objects after which at least so much is allocated in the trace. */
struct stats_survival {
    uint64_t limit; /* bytes allocated after the object */
    struct stats_amount asked;
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

struct stats {
    const char *name; /* of the trace */
    const struct history *history;
    const struct ledger *ledger;
    const struct assumptions *assumptions; /* NULL: the deaths are those that were recorded */

    struct stats_amount allocated[128]; /* by kind of record */
    struct stats_amount died;
    struct stats_amount alive;
    struct stats_amount used_once; /* no record but their allocation uses them */
    struct live_point most_objects;
    struct live_point most_bytes;
    struct distribution ticks; /* lifetimes */
    struct distribution bytes;
    struct distribution drag; /* in ticks */
    struct stats_survival survivals[STATS_SURVIVALS];
    struct stats_amount causes[CAUSE_COUNT];
    struct stats_groups groups[STATS_GROUP_CLASSES];
    struct tallies types;
    struct tallies sites;

    size_t born_at_peak; /* allocations before most bytes live */
    size_t next;         /* allocation */
};

/* After the propagation: finds what the ledger tells. What *stats is made of must outlive it,
 * but for the assumptions, which are set by the caller; stats_free releases it, also after a
 * failure.
 */
enum status stats_init(struct stats *stats, const char *name, const struct history *history,
                       const struct ledger *ledger, struct failure *why) MUST_CHECK;

/* The next allocation of the trace is `record`. To be called for all of them. */
enum status stats_add(struct stats *stats, const struct record *record,
                      struct failure *why) MUST_CHECK;

/* How many records of `kind` the trace with these deaths has. */
uint64_t stats_events(const struct stats *stats, enum record_kind kind);

/* The kinds of records, in the order in which reports list them, and what they are called in
 * the plural. */
struct stats_kind {
    enum record_kind kind;
    const char *name;
};

enum { STATS_KINDS = 13 };
extern const struct stats_kind stats_kinds[STATS_KINDS];

/* Whether the trace tells uses of objects other than their allocations; formats that hold
 * lifetimes alone do not, and then nothing can be said of drag and of what is used once. */
bool stats_has_uses(const struct stats *stats);

/* What all kinds amount to. */
struct stats_amount stats_allocated(const struct stats *stats);

void stats_free(struct stats *stats);

#endif
