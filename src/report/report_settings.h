/* SPDX-License-Identifier: MIT */
/* The options of the command line for reports. */
#ifndef ETMERLIN_REPORT_SETTINGS_H
#define ETMERLIN_REPORT_SETTINGS_H

#include "merlin/merge.h"
#include "merlin/pass.h"
#include "merlin/propagation.h"
#include "report/lives/moments.h"
#include "report/simulate/plan.h"
#include "trace/reader_class.h"

#include <stdbool.h>
#include <stdint.h>

/* The form of a report. */
enum report_format { FORMAT_TEXT, FORMAT_JSON, FORMAT_TSV };

/* How long a call proves that its receiver is alive. */
enum receiver_until { RECEIVER_UNTIL_EXIT, RECEIVER_UNTIL_ENTRY };

/* What the rows of an oracle are (report/check/oracle_rows.h), and when it frees objects. */
enum oracle_form { ORACLE_EVENTS, ORACLE_OBJECTS, ORACLE_THREADS, ORACLE_FORMS };
enum oracle_free { ORACLE_FREE_DEATH, ORACLE_FREE_LAST_USE, ORACLE_FREES };

/* The unit in which rows of the live heap are evenly spaced. */
enum live_axis { LIVE_AXIS_BYTES, LIVE_AXIS_TICKS };

/* The weight of folded stacks. The last two are bytes times bytes. */
enum folded_weight {
    FOLDED_BYTES,
    FOLDED_OBJECTS,
    FOLDED_LIVE, /* bytes at the peak */
    FOLDED_LIFETIME,
    FOLDED_DRAG
};

/* Which contexts rows have: those of allocations, those of deaths, or pairs of both. */
enum contexts_by { CONTEXTS_BY_ALLOCATION, CONTEXTS_BY_DEATH, CONTEXTS_BY_BOTH };

enum simulate_format { SIMULATE_TSV, SIMULATE_JSON };

struct report_settings {
    uint64_t live_points;                 /* the most rows of REPORT_LIVE; 0: no limit */
    enum live_axis live_axis;             /* of these rows */
    enum receiver_until receiver_until;   /* for REPORT_BOUNDS */
    enum report_format stats_format;      /* of REPORT_STATS */
    bool stats_is_brief;                  /* its text goes to a terminal, on one screen */
    bool no_header;                       /* its TSV has no line of column names */
    enum report_format live_check_format; /* of REPORT_LIVE_CHECK: text or JSON */
    enum oracle_form oracle_form;
    enum oracle_free oracle_free;
    uint64_t top;                 /* rows of each ranking of REPORT_STATS */
    uint64_t min_count;           /* fewest deaths for a row of a ranking by mean lifetime */
    bool chooses_rankings;        /* one of these two was given */
    enum contexts_by contexts_by; /* of REPORT_CONTEXTS */
    enum contexts_by folded_by;   /* of REPORT_FOLDED: not both */
    enum folded_weight folded_weight;
    struct plan simulate; /* for REPORT_SIMULATE, and for REPORT_PAGE what is named in it */
    enum simulate_format simulate_format;
    struct moments at; /* none: the default of each report */
    /* REPORT_HEAP_DUMP includes what died during the last so many allocated bytes. */
    uint64_t with_dead;
    uint64_t dump_limit; /* the most bytes of its heap; 0: in proportion to the trace */
};

/* The assumptions that deaths are computed under. */
struct assumptions {
    enum held_by held_by;
    enum unallocated unallocated;
    enum at_end at_end;
};

#endif
