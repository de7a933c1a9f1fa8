/* SPDX-License-Identifier: MIT */
/* Checks whether a trace is well-formed (etmerlin-reports(5)), collects its figures, and prints
 * both. */
#ifndef ETMERLIN_REPORT_VALIDATE_VALIDATE_H
#define ETMERLIN_REPORT_VALIDATE_VALIDATE_H

#include "base/map.h"
#include "base/set.h"
#include "base/status.h"
#include "merlin/clock.h"
#include "report/figures.h"
#include "report/form/form.h"
#include "report/validate/seen_objects.h"
#include "report/validate/violations.h"
#include "trace/batch.h"
#include "trace/names.h"
#include "trace/reader.h"
#include "trace/record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The method entries and exits of a thread. */
struct thread_calls {
    uint64_t id; /* of the thread */
    uint64_t entries;
    uint64_t exits;
    uint64_t unmatched; /* exits of a method that is not open */
    uint64_t unwound;   /* frames left by the exit of an outer one */
    size_t open;        /* frames now */
    /* By open frame: the line in which it was entered, the outermost first. */
    uint64_t *lines;
    size_t line_capacity;
};

struct calls {
    struct frames *frames;
    struct thread_calls *threads; /* in order of appearance */
    size_t count;
    size_t capacity;
};

/* The kinds of ids that are looked up in name lists. */
enum { NAMED_KINDS = 2 };

struct named_kind {
    uint64_t ids;     /* different ids in the trace */
    uint64_t unnamed; /* of these, without a name */
    uint64_t first;   /* the first unnamed id in the trace, if there is one */
    struct set seen;
};

/* The ids of the trace for which its name lists have a name. */
struct naming {
    const struct names *names; /* NULL: nothing is looked up */
    struct named_kind kinds[NAMED_KINDS];
};

/* The name of a kind in reports, such as "types". */
const char *naming_label(unsigned kind);

struct validate_figures {
    uint64_t records[RECORD_KINDS]; /* by letter */
    uint64_t events;                /* records of all kinds */
    uint64_t comments;
    uint64_t arrays;        /* allocations of arrays */
    uint64_t objects;       /* other allocations */
    wide_sum bytes;         /* allocated */
    uint64_t prior_objects; /* that were there before the trace: no allocations */
    wide_sum prior_bytes;
    uint64_t deaths;               /* of allocated objects, one for each object */
    uint64_t mentions;             /* of objects, in all records but deaths */
    uint64_t unallocated_mentions; /* of objects that are never allocated */
    uint64_t adopted;              /* objects that are named before their allocation */
    uint64_t first_time;           /* of the clock */
    uint64_t last_time;
    struct distribution lifetimes; /* in ticks, of allocated objects with a death */
    bool by_position; /* lifetimes end at the records of deaths, not at the times in these */
};

struct validation {
    const struct reader *reader;
    const struct record_layout *layouts[RECORD_KINDS];
    struct finding violations[VIOLATION_COUNT];
    struct finding notes[NOTE_COUNT];
    struct validate_figures figures;
    struct calls calls;
    struct naming naming;
    struct seen_objects seen_objects;
    struct map clearing; /* reference -> the causes that have cleared it: a bit for each */
    struct clock clock;
    uint64_t time;       /* of the last record but deaths, if records have times */
    bool has_time;       /* there was such a record */
    uint64_t last_line;  /* of the last record but deaths; 0: there was none */
    bool is_at_boundary; /* that is a boundary */
    uint32_t thread;     /* number of the thread of the last record */
    bool has_positions;  /* a record follows a death: so deaths are in their places */
    bool times_fit;      /* the time of each death is one that the clock had shown before */
};

/* Begins to validate what `reader` reads. The reader must keep malformed and unknown lines
 * (keep_others), and outlive *validation. validation_free releases *validation, also after a
 * failure. */
enum status validation_init(struct validation *validation, const struct reader *reader,
                            struct failure *why) MUST_CHECK;

/* Adds the records of `batch`. */
enum status validation_add(struct validation *validation, const struct batch *batch,
                           struct failure *why) MUST_CHECK;

/* To be called after the last batch: finds what only the end shows. */
enum status validation_finish(struct validation *validation, struct failure *why) MUST_CHECK;

/* The number of objects that records have named so far. */
uint64_t validation_objects(const struct validation *validation);

void validation_free(struct validation *validation);

/* Prints violations, of which those in `ignored` are marked, then methods by thread, then
 * figures; etmerlin-reports(5) has the keys. */
void validate_print(struct print *print, enum report_format format,
                    const struct validation *validation, violation_set ignored);

#endif
