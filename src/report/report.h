/* SPDX-License-Identifier: MIT */
/* A report on a trace, written in addition to it or instead of it. Each kind of report is a
 * module with functions of this form; its row in report_table.c says what it needs. */
#ifndef ETMERLIN_REPORT_REPORT_H
#define ETMERLIN_REPORT_REPORT_H

#include "merlin/engine.h"
#include "report/assumptions.h"
#include "report/graph/heap_graph.h"
#include "report/lives/event_list.h"
#include "report/lives/site_sums.h"
#include "report/report_settings.h"
#include "report/table.h"
#include "trace/names.h"
#include "trace/reader.h"

struct collector_costs;
struct run_match;
struct page_match;

/* What all reports of a run are made from. */
struct report_material {
    const char *trace;     /* its name */
    struct reader *reader; /* of it, once it is open; see REPORT_NEEDS_MOMENTS */
    const struct report_settings *settings;
    struct assumptions assumptions;
    const struct reader_options *reading; /* how the trace is read */
    uint64_t window;                      /* as in struct engine_options */
    bool is_recorded;             /* deaths are those that the trace has: none are computed */
    const uint64_t *death_thread; /* in D records; NULL: that of the allocation */

    /* From `begin` on: */
    struct history *history;
    const struct life_stream *stream;         /* NULL: no report needs it */
    struct event_list *events;                /* with REPORT_NEEDS_EVENTS */
    struct reference_stream *references;      /* with WANT_REFERENCES */
    const struct temporary_folder *temporary; /* of temporary files; NULL: see spool_open */
    const struct names *names;                /* of types and sites; NULL: there are none */
    struct moments *moments;                  /* those of reports; NULL: none has one */
    struct heap_graph **graphs;          /* of each of them, until its reports are written */
    const struct collector_costs *costs; /* with REPORT_NEEDS_COSTS, from `finish` on */
    bool are_numbered;                   /* objects are called by numbers: no two share an id */

    /* With REPORT_NEEDS_SUMS. `ended` finds here what is added up of a life; it has been
     * added to the sums, which are finished before `finish`. */
    struct tallied_life tallied;
    struct site_sums *sums;     /* of all objects; NULL: no report needs them */
    struct site_sums **sums_of; /* by moment: of what is alive then; NULL: the same */

    /* From `finish` on, of a run that is compared with another one; else NULL. */
    const struct run_match *match;
    const struct page_match *page_match;
};

struct report {
    const struct report_class *methods;
    const struct report_material *material;
    struct sink *sink; /* NULL: it goes to files of `folder` */
    const char *folder;
    /* Of the sink or folder, as given; with methods->reads, of the file to be read. */
    const char *path;
    size_t moment;            /* of material->moments, if its class has one */
    struct heap_graph *graph; /* with REPORT_NEEDS_GRAPHS: the heap then; in `finish` */
    struct site_sums *sums;   /* with REPORT_NEEDS_SUMS: of it; finished before `finish` */
    struct table table;       /* in the sink, if methods->is_table */
    void *state;              /* of the module; zero at first */
};

/* What a report needs to have kept or passed: of enum engine_want, and of these. */
enum {
    REPORT_NEEDS_NAMES = 1 << 16,  /* name lists are read for it */
    REPORT_NEEDS_EVENTS = 1 << 17, /* material->events: a temporary file */
    REPORT_NEEDS_COMPUTED =
        1 << 18, /* deaths that are computed; it cannot be of recorded ones */
    REPORT_NEEDS_MOMENTS = 1 << 19, /* `finish` reads material->reader, whose class has them */
    REPORT_NEEDS_SUMS = 1 << 20,    /* material->sums; with lives and contexts */
    REPORT_NEEDS_GRAPHS =
        1 << 21, /* material->moments and graphs: for each, the trace is read once more */
    REPORT_NEEDS_PAIRS = 1 << 22, /* of material->sums also those of deaths; with death sites */
    REPORT_TAKES_MOMENT = 1 << 23, /* with --at, sums are of what is alive at the moment */
    REPORT_NEEDS_COSTS = 1 << 24, /* material->costs; with lives, for which `ended` is called */
    REPORT_KEEPS_IDS = 1 << 25    /* in graphs, of objects, and of sites that have names */
};

/* A kind of report. Each function may be NULL. In a table, what could not be written is found
 * by the caller. */
struct report_class {
    bool is_table;  /* the table is begun before `begin` and ended after `finish` */
    bool is_folder; /* of a file for each column of the table */
    bool reads;     /* its option names a file that it reads: it goes to standard output */
    unsigned needs;
    enum heap_moment_kind at; /* with REPORT_NEEDS_GRAPHS: the peak, or the end, by default */
    /* In the first reading, after each batch, before all others. */
    enum status (*read)(struct report *report, const struct batch *batch, struct failure *why);
    /* The first reading begins anew: forgets what `read` was shown. */
    void (*restart)(struct report *report);
    /* The material is there. */
    enum status (*begin)(struct report *report, struct failure *why);
    /* The next life, in the order of death. */
    enum status (*ended)(struct report *report, const struct life_facts *life,
                         struct failure *why);
    /* Writes what is outstanding. */
    enum status (*finish)(struct report *report, struct failure *why);
    /* After `finish`: a sentence, without its full stop, for the user. NULL:
     * there is none. The caller owns it (free). */
    char *(*remark)(const struct report *report);
    /* Releases what `state` holds, which may be NULL, and `state`. */
    void (*release)(struct report *report);
};

#endif
