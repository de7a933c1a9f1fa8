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

/* Records have the letters that they have in the trace. There are no such letters for:
 *   RECORD_THREAD: those that follow in the ring are of the thread with this id
 *   RECORD_CHECK: a collection ends here; what it found follows, with the clock of this moment
 *   RECORD_GONE: an object that this collection found dead (for the check file)
 *   RECORD_LIVE: how many objects, how many bytes it has left (for the check file) */
enum { RECORD_THREAD = 1, RECORD_CHECK, RECORD_GONE, RECORD_LIVE };

/* The second word of a record: its letter, its number of words and its first field. */
#define RECORD_HEAD(letter, words, field)                                                      \
    ((uint64_t)(unsigned char)(letter) | (uint64_t)(words) << 8 | (uint64_t)(field) << 16)

struct merger;

struct merger_options {
    struct output *output;
    struct name_lists *names;
    int check; /* descriptor of the check file; -1: none */
    /* When a thread has allocated so many bytes without a boundary, a tick comes before its
     * next allocation: an M and an E of the method `tick`. 0: never. */
    uint64_t tick_bytes;
    uint32_t tick;           /* of the name lists */
    bool leaves_out_repeats; /* each W that says nothing new (repeats.h) */
};

/* Starts the thread. It owns the output, but not after a failure. `begin` are the first lines.
 */
enum status merger_open(struct merger **out, const struct merger_options *options,
                        const char *begin, struct failure *why) MUST_CHECK;

/* The last stamp. A record has the stamp of the one before it in its ring if no other thread
 * has taken one since, otherwise it takes the next. So if one record happens before another in
 * the memory model of the program, it is before it in the order of stamps or, if both have the
 * same stamp, in that of the ring. Only a change of threads takes an atomic operation. */
extern _Atomic uint64_t merger_stamp;

/* The stamp of the next record of the ring. Reads of the thread that come before are not moved
 * after it. */
static inline uint64_t merger_stamp_for(struct ring *ring)
{
    atomic_thread_fence(memory_order_acquire);
    if (atomic_load_explicit(&merger_stamp, memory_order_relaxed) != ring->stamp)
        ring->stamp = atomic_fetch_add(&merger_stamp, 1) + 1;
    return ring->stamp;
}

/* Shows records of the ring, of so many words, that have its stamp. If another thread has taken
 * one meanwhile, its records may have been written into the trace before these, and it still
 * has the last stamp: so a stamp is taken that no record gets, by which it notices that these
 * have come. If the exchange fails, another thread has taken one. */
static inline void merger_show(struct ring *ring, size_t words)
{
    ring_publish(ring, words);
    uint64_t latest = atomic_load_explicit(&merger_stamp, memory_order_relaxed);
    if (latest != ring->stamp)
        atomic_compare_exchange_strong(&merger_stamp, &latest, latest + 1);
}

/* Has the merger read the ring, too, until the ring is ended and empty. */
void merger_add(struct merger *merger, struct ring *ring);

/* Whether a thread may have written the allocation of the object with that id, and not shown it
 * yet. */
bool merger_lacks(struct merger *merger, uint64_t id);

/* The numbers of records and boundaries that have been written so far. */
struct merger_counts {
    uint64_t records;
    uint64_t boundaries;
};

/* Waits until all records are written that were made before, writes `end`, and closes
 * everything. Records that are written to a ring afterwards are lost. */
enum status merger_close(struct merger *merger, const char *end, struct merger_counts *counts,
                         struct failure *why) MUST_CHECK;

#endif
