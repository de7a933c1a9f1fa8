/* SPDX-License-Identifier: MIT */
/* Moments of a run, as --at names them: each is between two records. */
#ifndef ETMERLIN_REPORT_LIVES_MOMENTS_H
#define ETMERLIN_REPORT_LIVES_MOMENTS_H

#include "report/lives/live.h"
#include "trace/batch.h"

enum heap_moment_kind {
    HEAP_AT_PEAK,  /* the first after an allocation at which most bytes live (live.h) */
    HEAP_AT_END,   /* after the last record */
    HEAP_AT_BYTES, /* after the allocation with which `number` bytes have been allocated */
    HEAP_AT_TICK,  /* after boundary number `number`, from 1; 0: before all records */
    HEAP_AT_RECORD /* after so many records, deaths not counted */
};

struct heap_moment {
    enum heap_moment_kind kind;
    uint64_t number;
    /* By moments_find: */
    uint64_t tick;   /* boundaries before */
    uint64_t births; /* allocations before, prior objects (trace/record.h) not counted */
    uint64_t bytes;  /* of these */
    bool is_at_end;  /* after the last record */
};

/* The most moments of --at. */
enum { MOMENTS_MOST = 64, MOMENT_NAME_SIZE = 32 };

/* Moments in the order in which they are named. */
struct moments {
    const char *list;                           /* as it was given; NULL: none was */
    struct heap_moment items[MOMENTS_MOST + 1]; /* one more than --at has: moments_take */
    size_t count;
    bool has_records; /* some are of HEAP_AT_RECORD */
    bool has_peak;
    /* How far the reading is: */
    uint64_t records, ticks, births;
};

/* Reads a list such as peak,end,bytes:1000, which must outlive *moments. STATUS_MEANING: it is
 * no such list, or names a moment twice. */
enum status moments_parse(struct moments *moments, const char *list,
                          struct failure *why) MUST_CHECK;

/* Writes what --at calls a moment, with `colon` instead of the colon. */
void moment_name(char name[MOMENT_NAME_SIZE], const struct heap_moment *moment, char colon);

/* The index of the peak or the end, which is added if it is not there. Zero-initialized moments
 * are none. */
size_t moments_take(struct moments *moments, enum heap_moment_kind kind);

/* A reading of the trace begins, and goes on with `batch`; with `by_time` ticks are times. */
void moments_restart(struct moments *moments);
void moments_read(struct moments *moments, const struct batch *batch, bool by_time);

/* Finds the moments among the lives of `stream`, when the trace, which is called `trace`, has
 * been read. `peaks` are those of the stream, if has_peak. STATUS_MEANING: it has no such
 * moment. */
enum status moments_find(struct moments *moments, const struct life_stream *stream,
                         const struct live_peaks *peaks, const char *trace,
                         struct failure *why) MUST_CHECK;

/* Whether an object has been born by the moment, or was there before the trace. */
bool moment_has_born(const struct heap_moment *moment, const struct life_facts *life);

/* Whether an object is alive then (live.h). */
bool moment_has_alive(const struct heap_moment *moment, const struct life_facts *life);

#endif
