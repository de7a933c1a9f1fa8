/* SPDX-License-Identifier: MIT */
/* A report on a trace, written instead of the trace with its deaths, or in addition to it. Each
 * kind of report is a module. It defines a class, which has the functions of the module and
 * says what the report is made from. */
#ifndef ETMERLIN_REPORT_REPORT_H
#define ETMERLIN_REPORT_REPORT_H

#include "merlin/engine.h"
#include "report/figures.h"
#include "report/print.h"
#include "report/report_settings.h"
#include "trace/names.h"
#include "trace/reader.h"

struct form_part;
struct heap_events;
struct heap_graph;
struct heap_moment;
struct page_match;
struct run_match;
struct live_peaks;
struct site_sums;

/* What the simplest collector needs and costs: it marks the whole heap when that is full. */
struct marking_costs {
    uint64_t smallest_heap; /* bytes with which the program gets through; at most UINT64_MAX */
    uint64_t allocated;     /* bytes that the program asks for: without V records */
    wide_sum marked;        /* bytes, with twice its smallest heap */
};

/* What all reports of a run are made from. */
struct report_material {
    const char *trace; /* its name */
    const struct report_settings *settings;
    struct assumptions assumptions;
    const struct reader_options *reading;     /* how the trace is read */
    struct reader *reader;                    /* of it, once it is open */
    const struct temporary_folder *temporary; /* NULL: see spool_open */
    const struct engine_settings *engine;     /* how deaths are found */
    const uint64_t *death_thread;             /* of D records; NULL: that of the allocation */

    /* From `begin` on: */
    struct pass *pass;
    const struct engine *run;            /* makes numberings, with WANT_NUMBERS */
    const struct life_stream *stream;    /* with WANT_LIVES */
    const struct live_peaks *peaks;      /* of it; for sums (lives/site_sums.h) */
    struct reference_stream *references; /* with WANT_REFERENCES */
    const struct stores *stores;         /* with WANT_STORES */
    const struct names *names;           /* of types and sites; NULL: there are none */
    bool is_recorded;                    /* deaths are those in the trace; none are computed */
    uint64_t digest;   /* of the trace (reader_digest), to be compared when it is read again */
    bool are_numbered; /* objects are called by numbers: no two share an id */

    /* From `finish` on: */
    const struct heap_events *events;    /* with TRAIT_EVENTS */
    const struct marking_costs *marking; /* with TRAIT_MARKING */
    const struct form_part *costs;       /* with TRAIT_COSTS: what --simulate prints */
    /* With TRAIT_ADVICE: what --advise says, as a list; NULL: the format has lifetimes only, or
     * the trace is empty. */
    const struct form_part *advice;
    /* With TRAIT_HELD: the first rows of --held at the end; NULL: the format has lifetimes
     * only.
     */
    const struct form_part *held;
    const struct run_match *match; /* of two runs; NULL: there is only one */
    const struct page_match *page_match;
};

struct report {
    const struct report_class *methods;
    const struct report_material *material;
    struct sink *sink; /* NULL: it goes to files of `folder` */
    const char *folder;
    /* The name of the sink or folder, as given; with methods->reads, that of the file to be
     * read. */
    const char *path;
    const struct heap_moment *moment; /* which it describes; NULL: the whole run */
    /* With methods->sums: the sums of that moment, or of the whole run. Each life is added to
     * them before `life` is called for it, and they are complete before `finish` is called. */
    struct site_sums *sums;
    struct heap_graph *graph; /* in `finish`, with TRAIT_GRAPH: the heap at that moment */
    struct table table;       /* if methods->is_table */
    bool ignores_lives;       /* `begin` sets it if `life` need not be called */
    void *state;              /* of the module; zero at first */
};

/* Which sums by site (lives/site_sums.h) a report is made from. All need lives and contexts;
 * those of pairs also need death sites. */
enum report_sums { SUMS_OF_NOTHING, SUMS_OF_ALLOCATIONS, SUMS_OF_PAIRS };

/* Which moments (lives/moments.h) a kind of report describes; there is one report for each
 * moment. */
enum report_moments {
    OF_THE_RUN,       /* none: it describes the whole run */
    OF_MOMENTS_GIVEN, /* those of --at; without it, the whole run */
    /* These need the graph of the heap, for which the trace is read again. Without --at they
     * are of: */
    OF_THE_PEAK,
    OF_THE_END
};

/* What a kind of report needs, as the run and the checks of options ask. */
enum report_trait {
    TRAIT_COMPUTED = 1 << 0,       /* computed deaths: it cannot be made from recorded ones */
    TRAIT_NAMES = 1 << 1,          /* name lists are read for it */
    TRAIT_READER_MOMENTS = 1 << 2, /* `finish` reads material->reader again, whose class must
                                      have `moments` */
    TRAIT_IDS = 1 << 3,    /* graphs of the heap must have the ids of objects, and of sites that
                              have names */
    TRAIT_EVENTS = 1 << 4, /* material->events */
    TRAIT_MARKING = 1 << 5,    /* material->marking, and with it TRAIT_EVENTS */
    TRAIT_COSTS = 1 << 6,      /* material->costs, and with it TRAIT_EVENTS */
    TRAIT_ADVICE = 1 << 7,     /* material->advice */
    TRAIT_HELD = 1 << 8,       /* material->held */
    TRAIT_LIFETIMES = 1 << 14, /* it is made of lifetimes, and has no place to say that they are
                                  too short (early_deaths) */
    /* These follow from other members of its class: */
    TRAIT_MOMENTS = 1 << 9,   /* --at may choose the moments that it describes */
    TRAIT_GRAPH = 1 << 10,    /* it is made from the graph of the heap */
    TRAIT_SUMS = 1 << 11,     /* it is made from sums by site */
    TRAIT_PAIRS = 1 << 12,    /* ... and by pairs of sites */
    TRAIT_CONTEXTS = 1 << 13, /* it wants contexts of the engine */
};

/* A kind of report. Each function may be NULL. Functions need not look whether rows of the
 * table could be written: the caller does. */
struct report_class {
    bool is_table;  /* it is a table, begun before `begin` and ended after `finish` */
    bool is_folder; /* a table whose columns are files */
    bool reads;     /* its option names a file that it reads: it goes to standard output */

    unsigned wants;  /* of enum engine_want, in addition to what traits imply */
    unsigned traits; /* of enum report_trait, in addition to what follows (report_traits) */
    enum report_sums sums;
    enum report_moments of;

    /* Called for each batch of the first reading, before all other functions. */
    enum status (*read)(struct report *report, const struct batch *batch, struct failure *why);
    /* The first reading begins again: forgets what `read` has seen. */
    void (*restart)(struct report *report);
    /* Called when the material is complete up to `begin`. */
    enum status (*begin)(struct report *report, struct failure *why);
    /* Called for each life, in the order of death. */
    enum status (*life)(struct report *report, const struct life_facts *life,
                        struct failure *why);
    /* Writes what is outstanding. */
    enum status (*finish)(struct report *report, struct failure *why);
    /* After `finish`: a sentence for the user, without its full stop; NULL: there is none. The
     * caller owns it (free). */
    char *(*remark)(const struct report *report);
    /* Releases `state`, which may be NULL, and what it holds. */
    void (*release)(struct report *report);
};

/* The traits of a class: its own, and what its other members imply. */
unsigned report_traits(const struct report_class *methods);

/* The kinds of reports. Each is a class that its module defines.
 *
 * To add a report: write its module, with a class; declare the class here and add its kind; add
 * its line in reports.c; add the row of an option whose target is reports[REPORT_...] to
 * src/cli/options/option_table.c, and its entry to man/etmerlin.1. */
enum report_kind {
    REPORT_LIFETIMES,
    REPORT_COLUMNS,
    REPORT_GROUPS,
    REPORT_REFERENCES,
    REPORT_LIVE,
    REPORT_BOUNDS,
    REPORT_SIMULATE,
    REPORT_ORACLE,
    REPORT_STATS,
    REPORT_CONTEXTS,
    REPORT_LIVE_CHECK,
    REPORT_FOLDED,
    REPORT_DHAT,
    REPORT_PAGE,
    REPORT_HEAP_DUMP,
    REPORT_HELD,
    REPORT_MATCH_SITES,
    REPORT_COUNT
};

extern const struct report_class bounds_report, columns_report, contexts_report,
    contexts_of_deaths_report, dhat_report, folded_report, folded_deaths_report,
    folded_lifetimes_report, groups_report, heap_dump_report, held_report, lifetimes_report,
    live_report, live_check_report, match_sites_report,
    oracle_reports[ORACLE_FORMS][ORACLE_FREES], page_report, references_report, simulate_report,
    simulate_without_stores_report, stats_report, stats_in_short_report;

/* The class of a kind, in the variant that the settings ask for. */
const struct report_class *report_class_of(enum report_kind kind,
                                           const struct report_settings *settings);

/* Whether pages can be made: the program was built with the chart library. */
bool page_is_built(void);

#endif
