/* SPDX-License-Identifier: MIT */
/* The thread that puts the records of all threads into their order and writes them as text. */
#ifndef ETTRACE_MERGE_H
#define ETTRACE_MERGE_H

#include "names.h"
#include "output.h"
#include "ring.h"

#include "base/status.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Records, as in the trace, and:
 *   RECORD_CHECK: a collection ends here; what it found follows, with the clock of this moment
 *   RECORD_GONE: an object that this collection found dead (for the check file)
 *   RECORD_LIVE: how many objects, how many bytes it has left (for the check file) */
enum { RECORD_CHECK = 'C', RECORD_GONE = 'G', RECORD_LIVE = 'L' };

/* The second word of a record: its letter, its number of words and its first field. */
#define RECORD_HEAD(letter, words, field)                                                      \
    ((uint64_t)(unsigned char)(letter) | (uint64_t)(words) << 8 | (uint64_t)(field) << 16)

struct merger;

struct merger_options {
    struct output *output;
    struct name_lists *names;
    int check; /* descriptor of the check file; -1: none */
};

/* Starts the thread. It owns the output. `begin` are the first lines. */
enum status merger_open(struct merger **out, const struct merger_options *options,
                        const char *begin, struct failure *why) MUST_CHECK;

/* The latest stamp. A record has the stamp of the one before it, if no other thread has taken
 * one in between, or else takes the next. So what happens before something else, as the memory
 * model of the program has it, is before it in the order of stamps, and in that of the ring
 * where both have the same: and only a change of threads takes an atomic operation. */
extern _Atomic uint64_t merger_stamp;

/* The stamp of the next record of the ring. Nothing that the thread has read before is read
 * after it. */
static inline uint64_t merger_stamp_for(struct ring *ring)
{
    atomic_thread_fence(memory_order_acquire);
    if (atomic_load_explicit(&merger_stamp, memory_order_relaxed) != ring->stamp)
        ring->stamp = atomic_fetch_add(&merger_stamp, 1) + 1;
    return ring->stamp;
}

/* From now on it reads the ring, too, until the ring is ended and empty. */
void merger_add(struct merger *merger, struct ring *ring);

/* What is written so far: records and boundaries. */
struct merger_counts {
    uint64_t records;
    uint64_t boundaries;
};

/* Waits until all records that were made before are written, writes `end`, closes all. Nothing
 * may be written to a ring afterwards; what is, is lost. */
enum status merger_close(struct merger *merger, const char *end, struct merger_counts *counts,
                         struct failure *why) MUST_CHECK;

#endif
