/* SPDX-License-Identifier: MIT */
/* What recorded deaths are compared on: where a file's allocations and deaths stand (its
 * recording), which file they are in, and how their ticks are known.
 *
 * Three counts show where something stands, whatever the lines are: how many allocations, ticks
 * (method boundaries) and records there were before it. Deaths count as none of them: so the
 * positions in a trace and in the same trace with deaths are the same. */
#ifndef ETMERLIN_REPORT_COMPARE_ALIGNMENT_H
#define ETMERLIN_REPORT_COMPARE_ALIGNMENT_H

#include "base/status.h"
#include "heap/objects.h"
#include "merlin/clock.h"
#include "merlin/death_pairing.h"
#include "trace/batch.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct recorded_allocation {
    uint64_t object;
    uint64_t line;
    uint64_t tick;
    uint64_t thread; /* 0 if the trace has none */
};

struct recorded_death {
    uint64_t object;
    uint64_t time; /* as written */
    uint64_t line;
    /* What there was before it. */
    uint64_t allocations;
    uint64_t ticks;
    uint64_t records;
    bool at_boundary; /* the record before it is the boundary that it stands after */
};

/* Zero-initialize it, but for the first members; recording_free ends it. */
struct recording {
    const char *name;       /* of the file */
    bool explicit_time;     /* as in struct reader */
    const char *unfinished; /* the same, set once it is read */
    struct recorded_allocation *allocations;
    size_t allocation_count;
    size_t allocation_capacity;
    struct recorded_death *deaths;
    size_t death_count;
    size_t death_capacity;
    struct line_map lines; /* of the records; deaths are none */
    uint64_t ticks;
    uint64_t boundary_record; /* the number of the latest boundary's record, from 1 */
};

/* Goes on with the records of `batch`. */
enum status recording_add(struct recording *recording, const struct batch *batch,
                          struct failure *why) MUST_CHECK;

void recording_free(struct recording *recording);

/* The source of the tick of a recorded death: its time field, or the boundary that it stands
 * after. */
enum compare_by { COMPARE_BY_AUTO, COMPARE_BY_TIME, COMPARE_BY_POSITION };

struct alignment {
    const struct recording *trace;
    const struct recording *recorded; /* may be the trace itself */
    const struct clock *clock;        /* of the trace */
    const struct interrupt *interrupt;
    enum compare_by requested;
    enum compare_by by;   /* never COMPARE_BY_AUTO */
    uint64_t misfit_line; /* of the first death whose time is none of the clock's; 0: none */
    bool has_positions;   /* see recording_has_positions */
    bool same_records;    /* both have as many: so the numbers of records mean the same */
    /* Indices, of the width of nodes, sorted by object, those of one object in the order of
     * their file. */
    node_t *allocations;
    node_t *deaths;
};

/* Decides how to compare. The recordings and the clock must outlive *alignment;
 * alignment_free releases it, also after a failure. STATUS_MEANING: the deaths cannot be
 * compared so, or `recorded` is not a recording of the trace. STATUS_INTERRUPTED: `interrupt`,
 * which may be NULL, asks to stop. */
enum status alignment_init(struct alignment *alignment, const struct recording *trace,
                           const struct recording *recorded, const struct clock *clock,
                           enum compare_by by, const struct interrupt *interrupt,
                           struct failure *why) MUST_CHECK;

/* The ticks that a recorded death may mean: more than one only if boundaries share its time. */
struct tick_span {
    uint64_t first;
    uint64_t last;
};

struct tick_span alignment_span(const struct alignment *alignment,
                                const struct recorded_death *death);

/* When a recorded death is, for what is before it and used after it: by time, at the boundary
 * with its time, wherever it stands, so that a list of deaths is judged like a trace; at the
 * last one, perhaps at the end. */
struct death_instant alignment_instant(const struct alignment *alignment,
                                       const struct recorded_death *death);

/* The time that a report shows of a recorded death: as written when times are compared, else
 * the clock where it stands. */
uint64_t alignment_shown_time(const struct alignment *alignment,
                              const struct recorded_death *death);

void alignment_free(struct alignment *alignment);

#endif
