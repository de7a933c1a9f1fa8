/* SPDX-License-Identifier: MIT */
/* A report on a trace, written beside it or instead of it. Each kind of report is a module with
 * functions of this form; its row in report_table.c says what it needs. */
#ifndef ETMERLIN_REPORT_REPORT_H
#define ETMERLIN_REPORT_REPORT_H

#include "merlin/stored_lives.h"
#include "report/assumptions.h"
#include "report/lives/places.h"
#include "report/report_settings.h"
#include "report/table.h"
#include "trace/names.h"
#include "trace/reader.h"

/* What all reports of a run are made from. */
struct report_material {
    const char *trace;     /* its name */
    struct reader *reader; /* of it, once it is open; see REPORT_NEEDS_MOMENTS */
    const struct report_settings *settings;
    struct assumptions assumptions;
    bool is_recorded; /* deaths are those that the trace has: none are computed */

    /* From `begin` on: */
    struct history *history;
    struct lives *lives; /* NULL: no report needs them, or there are stored ones */
    const struct stored_lives *stored; /* what windows found; NULL: there is a table */
    const struct spool_place *place;   /* of temporary files; NULL: see spool_open */
    const struct names *names;         /* of types and sites; NULL: there are none */
    const node_t *ids;                 /* objects are called ids[node]; NULL: as in the trace */

    /* With REPORT_NEEDS_PLACES. Who is told of an allocation or of a stored life finds here
     * what is added up of it, and its life unless it is a stored one; it has been added to the
     * places, which are finished before `finish`. */
    struct life life;
    struct tallied_life tallied;
    struct places *places;
};

struct report {
    const struct report_class *methods;
    const struct report_material *material;
    struct sink *sink; /* NULL: it goes to files of `folder` */
    const char *folder;
    /* Of the sink or folder, as given; with methods->reads, of the file to be read. */
    const char *path;
    struct table table; /* in the sink, if methods->is_table */
    void *state;        /* of the module; zero at first */
};

/* What a report needs to be kept or told. */
enum {
    REPORT_NEEDS_LIVES = 1,      /* material->lives */
    REPORT_NEEDS_NAMES = 2,      /* name lists are read for it */
    REPORT_NEEDS_REFERENCES = 4, /* when references were made and ended: a temporary file */
    REPORT_NEEDS_EVENTS = 8,     /* `event` is told, which takes memory for lines */
    REPORT_NEEDS_COMPUTED = 16,  /* deaths that are computed; it cannot be of recorded ones */
    REPORT_NEEDS_MOMENTS = 32,   /* `finish` reads material->reader, whose class tells them */
    /* Where last uses are, as history->use_places tells; the kinds exclude each other. */
    REPORT_NEEDS_USE_RECORDS = 64,
    REPORT_NEEDS_USE_ALLOCATIONS = 128,
    REPORT_NEEDS_USE_THREADS = 256,
    REPORT_NEEDS_CONTEXTS = 512,    /* of allocations: history->contexts */
    REPORT_NEEDS_FIRST_USES = 1024, /* history->life_records.first_uses */
    REPORT_NEEDS_SITES = 2048,  /* the methods of each site: history->sites; with contexts */
    REPORT_NEEDS_PLACES = 4096, /* material->places; with lives and contexts */
    REPORT_NEEDS_CAUSES = 8192  /* of computed deaths: lives_find_causes, or in stored lives */
};

/* A kind of report, as it is made in one way: of a table of all objects, or of stored lives,
 * where `died` gets NODE_NONE. Each function may be NULL; with `allocated` or `died` there is a
 * second reading. In a table, what could not be written is found by the caller. */
struct report_class {
    bool is_table;  /* the table is begun before `begin` and ended after `finish` */
    bool is_folder; /* of a file for each column of the table */
    bool reads;     /* its option names a file that it reads: it goes to standard output */
    unsigned needs;
    /* The material is there; nothing is written of the trace yet. */
    enum status (*begin)(struct report *report, struct failure *why);
    /* Does what takes the lives alone. May run in a thread of its own, beside the second
     * reading, which tells the same report of what comes by, unless it is a table, and beside
     * places_finish: of places and contexts it reads only what does not change. It has returned
     * before `finish`. */
    enum status (*aside)(struct report *report, struct failure *why);
    /* The second reading comes to the next allocation, in line `line` of the input. `event` is
     * the number of the record in the trace with its deaths, from 0. */
    enum status (*allocated)(struct report *report, const struct record *record, uint64_t line,
                             uint64_t event, struct failure *why);
    /* ... to a boundary at which objects die. In a trace of recorded deaths: to each boundary.
     */
    void (*boundary)(struct report *report, const struct record *record);
    /* ... to the next death: see merge_observer. */
    enum status (*died)(struct report *report, const struct record *death, node_t node,
                        uint64_t event, struct failure *why);
    /* Of a report that can be made of stored lives, after `begin`: the next one. */
    enum status (*ended)(struct report *report, const struct life_facts *life,
                         struct failure *why);
    /* Writes what is outstanding: of a report without second reading, all. */
    enum status (*finish)(struct report *report, struct failure *why);
    /* Releases what `state` holds, which may be NULL, and `state`. */
    void (*release)(struct report *report);
};

#endif
