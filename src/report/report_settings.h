/* SPDX-License-Identifier: MIT */
/* What the command line says of how reports are written. */
#ifndef ETMERLIN_REPORT_SETTINGS_H
#define ETMERLIN_REPORT_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

/* The form of a report. */
enum report_format { FORMAT_TEXT, FORMAT_JSON, FORMAT_TSV };

/* How long a call proves that its receiver is alive. */
enum receiver_until { RECEIVER_UNTIL_EXIT, RECEIVER_UNTIL_ENTRY };

/* What an oracle's rows are (report/oracle_rows.h), and when it frees. */
enum oracle_form { ORACLE_EVENTS, ORACLE_OBJECTS, ORACLE_THREADS, ORACLE_FORMS };
enum oracle_free { ORACLE_FREE_DEATH, ORACLE_FREE_LAST_USE, ORACLE_FREES };

/* What the rows of the live heap are evenly spaced in. */
enum live_axis { LIVE_AXIS_BYTES, LIVE_AXIS_TICKS };

/* What folded stacks are weighted by: the last two by bytes times bytes. */
enum folded_weight {
    FOLDED_BYTES,
    FOLDED_OBJECTS,
    FOLDED_LIVE, /* bytes at the peak */
    FOLDED_LIFETIME,
    FOLDED_DRAG
};

/* Which contexts rows are of: of allocations, of deaths, or pairs of both. */
enum contexts_by { CONTEXTS_BY_ALLOCATION, CONTEXTS_BY_DEATH, CONTEXTS_BY_BOTH };

enum simulate_format { SIMULATE_TSV, SIMULATE_JSON };

/* The lists of REPORT_SIMULATE by default. */
#define SIMULATE_HEAPS "1,1.25,1.5,2,3,4,6"
#define SIMULATE_NURSERIES "256K,1M,4M,16M,64M"
#define SIMULATE_TENURES "0"

/* For REPORT_SIMULATE: lists as given (report/simulate/plan.h); NULL: the default, of
 * collectors all. */
struct simulate_settings {
    const char *collectors;
    const char *heaps;
    const char *nurseries;
    const char *tenures;
    bool leaves_out_large; /* nurseries that no heap has room for, though they are listed */
    enum simulate_format format;
};

struct report_settings {
    uint64_t live_points;                 /* most rows of REPORT_LIVE; 0: any number */
    enum live_axis live_axis;             /* of these rows */
    enum receiver_until receiver_until;   /* for REPORT_BOUNDS */
    enum report_format stats_format;      /* of REPORT_STATS */
    enum report_format live_check_format; /* of REPORT_LIVE_CHECK: text or JSON */
    bool no_header;                       /* its table is without the names of the columns */
    enum oracle_form oracle_form;
    enum oracle_free oracle_free;
    uint64_t top;                 /* rows of each ranking of REPORT_STATS */
    uint64_t min_count;           /* deaths that a ranking by mean lifetime takes */
    enum contexts_by contexts_by; /* of REPORT_CONTEXTS */
    enum contexts_by folded_by;   /* of REPORT_FOLDED: not both */
    enum folded_weight folded_weight;
    struct simulate_settings simulate;
    const char *at;     /* moments (report/lives/moments.h); NULL: those of each report */
    uint64_t with_dead; /* REPORT_HEAP_DUMP has what died in the last so many allocated bytes */
};

#endif
