/* SPDX-License-Identifier: MIT */
/* A ring of records between the thread that writes them and the one that merges them. */
#ifndef ETTRACE_RING_H
#define ETTRACE_RING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    RING_WORDS = 1 << 16, /* of 64 bits: half a MiB a thread */
    RECORD_WORDS = 6,     /* of the longest record */
    FETCHED_WORDS = 32,   /* ahead of those that are written */
};

/* A record: its place in the order of all threads, what it is, and its fields. */
struct ring {
    uint64_t *words;
    uint64_t thread;       /* the id of the thread that writes */
    _Atomic bool is_ended; /* nothing will be written any more */
    bool is_closed;        /* the reader's: it is read to the end, and the words are released */
    struct ring *next;     /* in the list of all; set once */
    _Alignas(64) _Atomic size_t written; /* words, ever */
    size_t read_seen;                    /* the writer's last look at `read` */
    _Alignas(64) _Atomic size_t read;    /* words, ever */
    size_t position;                     /* the reader's, not yet shown to the writer */
    size_t written_seen;                 /* the reader's last look at `written` */
};

/* What stands in place of an order where the rest of the ring is too short for a record. */
#define RING_SKIP UINT64_MAX

/* Makes the ring of a thread; NULL: no memory. */
struct ring *ring_new(uint64_t thread);

/* As ring_reserve, where the room is not known to be there. */
uint64_t *ring_wait(struct ring *ring);

/* Room for RECORD_WORDS words; waits for the reader while there is none. The reader's processor
 * is past the words: what will be written soon is fetched back early. */
static inline uint64_t *ring_reserve(struct ring *ring)
{
    size_t written = atomic_load_explicit(&ring->written, memory_order_relaxed);
    size_t place = written % RING_WORDS;
    if (place > RING_WORDS - RECORD_WORDS ||
        written + RECORD_WORDS - ring->read_seen > RING_WORDS)
        return ring_wait(ring);
    __builtin_prefetch(ring->words + (place + FETCHED_WORDS) % RING_WORDS, 1);
    return ring->words + place;
}

/* The `words` first of those reserved are a record now. */
static inline void ring_publish(struct ring *ring, size_t words)
{
    size_t written = atomic_load_explicit(&ring->written, memory_order_relaxed);
    atomic_store_explicit(&ring->written, written + words, memory_order_release);
}

/* The next record, or NULL when there is none yet. */
const uint64_t *ring_peek(struct ring *ring);

/* The reader is done with the `words` of the record that ring_peek gave. */
void ring_consume(struct ring *ring, size_t words);

/* Shows the writer how far the reader is. */
void ring_settle(struct ring *ring);

/* Releases the words of a ring that has been read to its end; the rest stays in the list. */
void ring_close(struct ring *ring);

#endif
