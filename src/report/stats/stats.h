/* SPDX-License-Identifier: MIT */
/* The statistics: what was allocated, how long it lived, and why it died; and their printing in
 * all forms, with rankings: types, sites, methods and contexts, the largest first. */
#ifndef ETMERLIN_REPORT_STATS_STATS_H
#define ETMERLIN_REPORT_STATS_STATS_H

#include "report/figures.h"
#include "report/form/common.h"
#include "report/lives/live.h"
#include "report/lives/site_sums.h"
#include "report/lives/tallies.h"
#include "report/report.h"
#include "trace/names.h"
#include "trace/record.h"

#include <stdbool.h>

/* How much outlives an amount of allocation (the question of how large a nursery should be).
 * Eligible are the objects after which at least so much is allocated in the trace. */
struct stats_survival {
    uint64_t limit; /* bytes allocated after the object */
    struct amount eligible;
    struct amount survived; /* did not die before */
};

enum { STATS_SURVIVALS = 6 };

/* Groups (merlin/lives/causes.h) of up to 2^i objects, and of more than the class before has.
 */
struct stats_groups {
    uint64_t groups;
    uint64_t cyclic; /* of these: they have a cycle */
    struct amount amount;
};

enum { STATS_GROUP_CLASSES = 64 };

/* Lives in phases by their uses (Röjemo and Runciman, ICFP 1996), as space-time: sums of size
 * times bytes that were allocated meanwhile. */
struct stats_phases {
    wide_sum lag;   /* from the allocation to the first use */
    wide_sum use;   /* from there to the last use */
    wide_sum drag;  /* from there to the death, or to the end */
    wide_sum voids; /* of what is never used: from the allocation to the death or the end */
};

enum { DEATH_SHARES = 3 };

/* Percentages of the bytes that die at boundaries. */
extern const unsigned death_share_percents[DEATH_SHARES];

/* The fewest methods, and the fewest contexts, in which that much of these bytes dies. No open
 * method counts as one. 0: nothing dies. */
struct death_share {
    uint64_t methods;
    uint64_t contexts;
};

/* The most objects that are named of those that died before their last use. */
enum { STATS_NAMED = 10 };

/* What is described: of each life that ended lifetimes in ticks and bytes, and drag; of all
 * that is allocated its size. */
enum { STATS_TICKS, STATS_BYTES, STATS_DRAG, STATS_SIZES, STATS_ORDERS };

struct stats {
    const char *name; /* of the trace */
    const struct reader_options *reading;
    uint64_t digest; /* of all that was read */
    const struct pass *pass;
    uint64_t end_tick;      /* the last boundary */
    uint64_t longest_tick;  /* bytes (lives/live.h) */
    uint64_t bytes_in_all;  /* that the trace allocates */
    const char *unfinished; /* as in struct reader; NULL: the trace seems to be whole */
    const struct assumptions *assumptions; /* NULL: the deaths are those that were recorded */
    enum trace_level level;                /* at which ettrace recorded */

    struct amount allocated[RECORD_KINDS]; /* by kind of record, prior objects included */
    /* Prior objects (trace/record.h); all the rest is without them. */
    struct amount prior_died;
    struct amount prior_alive;
    struct amount died;
    struct amount alive;
    struct amount used_once;   /* no record but their allocation uses them */
    struct distribution ticks; /* lifetimes */
    struct distribution bytes;
    struct distribution drag; /* in ticks; without what died before its last use */
    struct amount died_before_use;
    uint64_t named[STATS_NAMED]; /* the first of these objects, in the order of death */
    struct stats_survival survivals[STATS_SURVIVALS];
    struct distribution sizes; /* of what is allocated */
    wide_sum space_time;       /* sum of sizes times the bytes allocated while they live */
    const struct marking_costs *marking; /* of the material, from stats_complete on */
    struct amount causes[CAUSE_COUNT];
    struct stats_groups groups[STATS_GROUP_CLASSES];
    struct amount ages[AGE_CLASSES];          /* by age at death */
    struct amount outlived[OUTLIVED_CLASSES]; /* by frames outlived */
    struct amount sharing[2];                 /* by whether threads share it */
    struct death_share shares[DEATH_SHARES];  /* with pairs */
    struct row_sort *orders[STATS_ORDERS];    /* of what is described; owned */
    uint64_t order_counts[STATS_ORDERS];
    struct stats_phases phases[2]; /* of what died, and of what is alive at the end */
    struct tallies sites;
    const struct site_sums *sums;
};

/* Begins the statistics of a report with sums. What the report is made from must outlive
 * *stats, which stats_free releases, also after a failure. */
enum status stats_init(struct stats *stats, const struct report *report,
                       struct failure *why) MUST_CHECK;

/* The next life has been added to the sums of the report. */
enum status stats_add(struct stats *stats, const struct life_facts *life,
                      struct failure *why) MUST_CHECK;

/* All lives have been added. */
enum status stats_complete(struct stats *stats, const struct marking_costs *marking,
                           struct failure *why) MUST_CHECK;

/* How many records of `kind` the trace with these deaths has. */
uint64_t stats_events(const struct stats *stats, unsigned kind);

/* The phases of both. */
struct stats_phases stats_all_phases(const struct stats *stats);

/* Whether the trace records uses of objects other than their allocations; formats that hold
 * lifetimes alone do not, and then nothing can be said of drag and of what is used once. */
bool stats_has_uses(const struct stats *stats);

/* What all kinds that allocate amount to, and prior objects. */
struct amount stats_allocated(const struct stats *stats);
struct amount stats_prior(const struct stats *stats);

void stats_free(struct stats *stats);

/* Prints what matters of the statistics as text on one screen; `names` may be NULL. */
void stats_print_briefly(struct print *print, const struct stats *stats,
                         const struct names *names);

/* Prints all of them as JSON within a script element, without the rankings. */
void stats_print_in_html(struct print *print, const struct stats *stats);

/* Puts what comes after the origin, before the assumptions, and what comes after these, before
 * the rankings, of complete statistics. */
void stats_put_head(struct form *form, const struct stats *stats);
void stats_put(struct form *form, const struct stats *stats);

struct trace_origin stats_origin(const struct stats *stats);

/* Puts the rankings at the end of a document; `names` may be NULL. */
void rankings_put(struct form *form, const struct stats *stats, const struct names *names,
                  const struct ranking_choice *choice);

/* Puts the first `top` types, and types with the methods that allocate them, by bytes or, if
 * nothing has a size, by objects, and those of which most bytes die young; in 80 columns. */
void rankings_put_briefly(struct form *form, const struct stats *stats,
                          const struct names *names, size_t top);

/* Puts the types, methods and contexts into the data of the page, as "tables": the "count" of
 * each, and those with the most bytes as "rows". */
void rankings_put_for_page(struct form *form, const struct stats *stats,
                           const struct names *names);

/* Prints the figures of the whole trace as a table of one row; etmerlin-reports(5) lists its
 * columns. `with_names`: after a line with their names. */
void stats_print_row(struct print *print, const struct stats *stats, bool with_names);

/* The number of columns of that table. */
size_t stats_column_count(void);

/* Whether a line has the names of the columns of that table. */
bool stats_is_header(const char *line, size_t length);

/* Writes the row of a trace that failed, with its name, the version and the status; before it
 * the names of the columns, unless `has_names`. */
enum status stats_put_failed_row(struct sink *sink, const char *trace, bool has_names,
                                 struct failure *why) MUST_CHECK;

#endif
