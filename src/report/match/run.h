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
    const struct temporary_folder *temporary;
};

/* A thread that allocates: in the order of first allocations. A trace without threads has one,
 * with id 0. */
struct run_thread {
    uint64_t id;
    size_t pair;    /* the number of its pair (thread_pairs.h) */
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
    size_t thread_capacity;
    uint64_t seen_threads; /* with those that allocate nothing */
    uint64_t allocations;
    uint64_t bytes;
    uint64_t survivors;
    uint64_t survivor_bytes;
    struct row_sort *objects; /* struct run_object, as numbers */
};

/* An object in the order of pairs of threads, and of their allocations. */
struct run_object {
    uint64_t pair;        /* of its thread */
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

/* Takes what is needed of runs[number] (RUN_A, then RUN_B): 4 bytes an object, and temporary
 * files. The engine can be closed then. B's threads are paired with those of A. STATUS_LIMIT: a
 * thread makes 2^32 - 2 allocations or more. */
enum status run_take(struct run *runs, unsigned number, struct run_common *common,
                     const struct run_source *source, struct failure *why) MUST_CHECK;

/* Sets *object to the next one. STATUS_END: there is none. */
enum status run_next(struct run *run, struct run_object *object,
                     struct failure *why) MUST_CHECK;

void run_free(struct run *run);

#endif
