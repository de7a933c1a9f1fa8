/* SPDX-License-Identifier: MIT */
/* A report on a trace, written in addition to it or instead of it. Each kind of report is a
 * module with functions of this form; its class says what it is made from. */
#ifndef ETMERLIN_REPORT_REPORT_H
#define ETMERLIN_REPORT_REPORT_H

#include "merlin/engine.h"
#include "report/assumptions.h"
#include "report/report_settings.h"
#include "report/table.h"
#include "trace/names.h"
#include "trace/reader.h"

struct document_part;
struct heap_graph;
struct heap_moment;
struct page_match;
struct run_match;
struct site_sums;

/* What all reports of a run are made from. */
struct report_material {
    const char *trace; /* its name */
    const struct report_settings *settings;
    struct assumptions assumptions;
    const struct reader_options *reading;     /* how the trace is read */
    struct reader *reader;                    /* of it, once it is open */
    const struct temporary_folder *temporary; /* NULL: see spool_open */
    const struct engine_settings *engine;     /* how deaths are found */
    const uint64_t *death_thread;             /* in D records; NULL: that of the allocation */

    /* From `begin` on: */
    struct history *history;
    const struct life_stream *stream;    /* with WANT_LIVES */
    struct reference_stream *references; /* with WANT_REFERENCES */
    const struct names *names;           /* of types and sites; NULL: there are none */
    bool is_recorded;  /* deaths are those that the trace has: none are computed */
    bool are_numbered; /* objects are called by numbers: no two share an id */

    /* From `finish` on: */
    const struct document_part *costs; /* with has_costs: the list of --simulate */
    const struct run_match *match;     /* of two runs; NULL: there is one */
    const struct page_match *page_match;
};

struct report {
    const struct report_class *methods;
    const struct report_material *material;
    struct sink *sink; /* NULL: it goes to files of `folder` */
    const char *folder;
    /* Of the sink or folder, as given; with methods->reads, of the file to be read. */
    const char *path;
    const struct heap_moment *moment; /* that it is of; NULL: it is of all of the run */
    /* Of that moment, or of all of the run, as methods->sums says. A life has been added before
     * `life` is called for it, and they are finished before `finish`. */
    struct site_sums *sums;
    struct heap_graph *graph; /* of that moment, in `finish`, with report_has_graph */
    struct table table;       /* in the sink, if methods->is_table */
    bool ignores_lives;       /* `begin` has found that `life` need not be called */
    void *state;              /* of the module; zero at first */
};

/* Which sums by site (lives/site_sums.h) a report is made from. All take lives and contexts,
 * those of pairs death sites, too. */
enum report_sums { SUMS_OF_NOTHING, SUMS_OF_ALLOCATIONS, SUMS_OF_PAIRS };

/* Which moments (lives/moments.h) a report is of; each is a report of its own. */
enum report_moments {
    OF_THE_RUN,       /* none: it is of all of the run */
    OF_MOMENTS_GIVEN, /* those of --at; without it, of all of the run */
    /* With the graph of the heap, for which the trace is read once more: those of --at, or: */
    OF_THE_PEAK,
    OF_THE_END
};

/* A kind of report. Each function may be NULL. In a table, what could not be written is found
 * by the caller. */
struct report_class {
    bool is_table;  /* the table is begun before `begin` and ended after `finish` */
    bool is_folder; /* of a file for each column of the table */
    bool reads;     /* its option names a file that it reads: it goes to standard output */

    unsigned wants;   /* of enum engine_want, in addition to what follows (report_wants) */
    bool of_computed; /* deaths; it cannot be of recorded ones */
    bool shows_names; /* so name lists are read for it */
    bool of_reader_moments; /* `finish` reads material->reader, whose class has `moments` */
    bool keeps_ids;         /* in graphs, of objects, and of sites that have names */
    bool has_costs;         /* material->costs; with lives */
    enum report_sums sums;
    enum report_moments of;

    /* In the first reading, after each batch, before all others. */
    enum status (*read)(struct report *report, const struct batch *batch, struct failure *why);
    /* The first reading begins anew: forgets what `read` was shown. */
    void (*restart)(struct report *report);
    /* The material is there. */
    enum status (*begin)(struct report *report, struct failure *why);
    /* The next life, in the order of death. */
    enum status (*life)(struct report *report, const struct life_facts *life,
                        struct failure *why);
    /* Writes what is outstanding. */
    enum status (*finish)(struct report *report, struct failure *why);
    /* After `finish`: a sentence, without its full stop, for the user. NULL:
     * there is none. The caller owns it (free). */
    char *(*remark)(const struct report *report);
    /* Releases what `state` holds, which may be NULL, and `state`. */
    void (*release)(struct report *report);
};

/* Whether a report is made from the graph of the heap. */
static inline bool report_has_graph(const struct report_class *methods)
{
    return methods->of == OF_THE_PEAK || methods->of == OF_THE_END;
}

/* What a class wants of the engine, of enum engine_want, with what follows from its other
 * members. */
static inline unsigned report_wants(const struct report_class *methods)
{
    unsigned wants = methods->wants;
    if (methods->life || methods->has_costs || report_has_graph(methods))
        wants |= WANT_LIVES;
    if (methods->sums != SUMS_OF_NOTHING)
        wants |= WANT_LIVES | WANT_CONTEXTS;
    if (methods->sums == SUMS_OF_PAIRS)
        wants |= WANT_CAUSES | WANT_DEATH_SITES;
    return wants;
}

/* What options ask of a class: whether --at says what a report is of, and the like. */
static inline bool report_has_moments(const struct report_class *methods)
{
    return methods->of != OF_THE_RUN;
}

static inline bool report_wants_contexts(const struct report_class *methods)
{
    return report_wants(methods) & WANT_CONTEXTS;
}

static inline bool report_shows_names(const struct report_class *methods)
{
    return methods->shows_names;
}

static inline bool report_is_of_computed(const struct report_class *methods)
{
    return methods->of_computed;
}

static inline bool report_is_of_reader_moments(const struct report_class *methods)
{
    return methods->of_reader_moments;
}

#endif
