/* SPDX-License-Identifier: MIT */
/* A recording: where a file's allocations and deaths stand.
 *
 * Three counts show where something stands, whatever the lines are: how many allocations, ticks
 * (method boundaries) and records there were before it. Deaths count as none of them: so the
 * positions in a trace and in the same trace with deaths are the same. */
#ifndef ETMERLIN_REPORT_COMPARE_RECORDING_H
#define ETMERLIN_REPORT_COMPARE_RECORDING_H

#include "base/status.h"
#include "trace/batch.h"
#include "trace/line_map.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct recorded_allocation {
    uint64_t object;
    uint64_t line;
    uint64_t tick;
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

/* Zero-initialize it, but for the name; recording_free ends it. */
struct recording {
    const char *name;       /* of the file */
    const char *unfinished; /* as in struct reader; set once it is read */
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

/* The line of record number `record`, from 1. */
uint64_t recording_line(const struct recording *recording, uint64_t record);

/* Whether the file has no allocations and no boundaries: nothing of the trace but its deaths.
 */
bool recording_is_deaths_only(const struct recording *recording);

/* Whether the deaths stand where they happened; not, when all are after the last record. */
bool recording_has_positions(const struct recording *recording);

/* Checks that two recordings that are not deaths only are of the same trace: that the same
 * objects are allocated at the same ticks. STATUS_MEANING: the first record of `other` that
 * differs. */
enum status recording_match(const struct recording *trace, const struct recording *other,
                            struct failure *why) MUST_CHECK;

void recording_free(struct recording *recording);

#endif
