/* SPDX-License-Identifier: MIT */
/* What is kept of a run to compare it with another one. */
#ifndef ETMERLIN_REPORT_MATCH_RUN_H
#define ETMERLIN_REPORT_MATCH_RUN_H

#include "merlin/engine.h"
#include "report/match/site_list.h"
#include "report/match/vocabulary.h"

/* A run, while its lives are there. */
struct run_source {
    const struct history *history; /* with contexts */
    const struct life_stream *stream;
    const struct names *names; /* that types and methods are compared by; NULL: by ids */
    const struct spool_place *place;
    const struct interrupt *interrupt;
};

/* A thread: in the order of first records. A trace without threads has one, with id 0. */
struct run_thread {
    uint64_t id;
    uint32_t *keys; /* of its allocations (vocabulary.h) */
    size_t count;
    size_t capacity;
    uint64_t bytes; /* that it allocates */
};

/* Zero-initialize it; run_free ends it. Objects that were there before the trace are no part of
 * anything here: a run allocates what it allocates. */
struct run {
    struct run_thread *threads;
    size_t thread_count;
    uint64_t allocations;
    uint64_t bytes;
    uint64_t survivors;
    uint64_t survivor_bytes;
    struct row_sort *objects; /* struct run_object, as numbers */
};

/* An object in the order of threads, and of their allocations. */
struct run_object {
    uint64_t thread;      /* its place among the threads */
    uint64_t allocation;  /* its number in the run */
    uint64_t born;        /* bytes that the run has allocated, its own included */
    uint64_t died;        /* the same at its death; of a survivor at the end */
    uint64_t thread_died; /* the same of the bytes of its thread */
    uint64_t size;
    uint64_t line;
    bool survives;
};

/* What both runs share. */
struct run_common {
    struct vocabulary vocabulary;
    struct site_list sites;
    uint64_t threshold; /* objects are long that live longer: bytes */
};

/* Takes what is needed of the run with number `number` (RUN_A, RUN_B): 4 bytes an object, and
 * temporary files. The engine can be closed then. STATUS_LIMIT: a thread makes 2^32 - 2
 * allocations or more. */
enum status run_take(struct run *run, struct run_common *common, unsigned number,
                     const struct run_source *source, struct failure *why) MUST_CHECK;

/* Sets *object to the next one. STATUS_END: there is none. */
enum status run_next(struct run *run, struct run_object *object,
                     struct failure *why) MUST_CHECK;

void run_free(struct run *run);

#endif
