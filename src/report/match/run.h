/* SPDX-License-Identifier: MIT */
/* What is kept of a run to compare it with another one, and which thread of one run corresponds
 * to which of the other. */
#ifndef ETMERLIN_REPORT_MATCH_RUN_H
#define ETMERLIN_REPORT_MATCH_RUN_H

#include "merlin/engine.h"
#include "report/match/site_list.h"
#include "report/match/vocabulary.h"

/* What a run is taken from. */
struct run_source {
    const struct pass *pass; /* with contexts */
    const struct life_stream *stream;
    const struct names *names; /* by which types and methods are compared; NULL: by ids */
    const struct temporary_folder *temporary;
};

/* A thread that allocates. Threads are in the order of their first allocations. A trace without
 * threads has one, with id 0. */
struct run_thread {
    uint64_t id;
    size_t pair;    /* the number of its pair (thread_pairs_find) */
    uint32_t *keys; /* of its allocations, in their order (vocabulary.h) */
    size_t count;
    size_t capacity;
    uint64_t bytes; /* that it allocates */
};

/* Zero-initialize it; run_free ends it. Objects that were there before the trace are not
 * counted anywhere here. */
struct run {
    struct run_thread *threads;
    size_t thread_count;
    size_t thread_capacity;
    uint64_t seen_threads; /* those that allocate nothing included */
    uint64_t allocations;
    uint64_t bytes;
    uint64_t survivors;
    uint64_t survivor_bytes;
    struct row_sort *objects; /* rows of struct run_object */
};

/* An object. They come in the order of pairs of threads, then of allocations. */
struct run_object {
    uint64_t pair;        /* of its thread */
    uint64_t allocation;  /* its number in the run */
    uint64_t born;        /* bytes that the run had allocated after its allocation */
    uint64_t died;        /* ... at its death, or for a survivor at the end */
    uint64_t thread_died; /* ... at that moment, by its thread alone */
    uint64_t size;
    uint64_t line;
    bool survives;
};

/* What both runs share. */
struct run_common {
    struct vocabulary vocabulary;
    struct site_list sites;
    uint64_t threshold; /* objects that live longer are long-lived: bytes */
};

/* Keeps what is needed of runs[number], RUN_A first, then RUN_B, so that the engine can be
 * closed: 4 bytes of memory an object, the rest in temporary files. The threads of B are paired
 * with those of A. STATUS_LIMIT: a thread makes 2^32 - 2 allocations or more. */
enum status run_take(struct run *runs, unsigned number, struct run_common *common,
                     const struct run_source *source, struct failure *why) MUST_CHECK;

/* After run_take for both runs: sets *object to the next object. STATUS_END: there is none. */
enum status run_next(struct run *run, struct run_object *object,
                     struct failure *why) MUST_CHECK;

void run_free(struct run *run);

/* At most so many threads of each run are compared with each other, by at most so many
 * different keys of a thread of b. They bound the time that the comparison takes. */
enum { COMPARED_THREADS = 256, COMPARED_KEYS = 4096 };

/* Sets `pair` of the threads of both runs. All their keys must be below `key_count`. A thread
 * of a gets its own index. A thread of b gets the index of its partner in a; those without a
 * partner get the next numbers, in the order of b. The ids of threads play no part
 * (etmerlin-reports(5), "Pairs"). */
enum status thread_pairs_find(struct run *a, struct run *b, size_t key_count,
                              struct failure *why) MUST_CHECK;

#endif
