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

/* Words are counted from the beginning of time. A record: its stamp, what it is, and its
 * fields. */
struct ring {
    /* The writer's. */
    uint64_t next;       /* words written */
    uint64_t limit;      /* a record has room while no more are written */
    uint64_t stamp;      /* of the latest record */
    uint64_t *words;     /* where they are */
    uint64_t total_seen; /* `next` when it was last counted in ring_total */
    uint64_t read_seen;  /* the last look at `read` */
    /* Shown to the reader, on a line of its own: it would take the others from the writer. */
    _Alignas(64) _Atomic uint64_t written; /* as `next` */
    _Alignas(64) _Atomic uint64_t read;    /* words, shown to the writer */
    /* The reader's. */
    uint64_t position;       /* words read */
    uint64_t written_seen;   /* the last look at `written` */
    uint64_t written_before; /* and the look before */
    bool is_closed;          /* it is read to the end, and the words are released */
    struct ring *others;     /* in the list of all; set once */
    uint64_t thread;         /* the id of the thread that writes, when it is ready */
    _Atomic bool is_ready;   /* to be read; what waits for it waits with it */
    _Atomic bool is_ended;   /* nothing will be written any more */
};

/* What stands in place of a stamp where the rest of the ring is too short for a record. */
#define RING_SKIP UINT64_MAX

/* What all threads have written, but for the last few words of each. */
extern _Atomic uint64_t ring_total;

/* Makes the ring of a thread; NULL: no memory. */
struct ring *ring_new(uint64_t thread);

/* As ring_reserve, where the room is not known to be there. */
uint64_t *ring_wait(struct ring *ring);

/* Room for RECORD_WORDS words; waits for the reader while there is none. The reader's processor
 * is past the words: what will be written soon is fetched back early. */
static inline uint64_t *ring_reserve(struct ring *ring)
{
    if (ring->next > ring->limit)
        return ring_wait(ring);
    size_t place = ring->next % RING_WORDS;
    __builtin_prefetch(ring->words + (place + FETCHED_WORDS) % RING_WORDS, 1);
    return ring->words + place;
}

/* The `words` first of those reserved are a record now: others see it before what the thread
 * does next. */
static inline void ring_publish(struct ring *ring, size_t words)
{
    ring->next += words;
    atomic_store_explicit(&ring->written, ring->next, memory_order_release);
    atomic_thread_fence(memory_order_release);
}

/* ring_total, with all words of this ring. */
static inline uint64_t ring_total_now(const struct ring *ring)
{
    return atomic_load_explicit(&ring_total, memory_order_relaxed) + ring->next -
           ring->total_seen;
}

/* Looks how far the writer is. */
void ring_look(struct ring *ring);

/* The next record of those seen, or NULL. */
const uint64_t *ring_peek(struct ring *ring);

/* Whether the next record, which ring_peek gave, was there at the look before the last. */
static inline bool ring_was_there(const struct ring *ring)
{
    return ring->position < ring->written_before;
}

/* How many words from that record on were there at the look before the last, one after the
 * other in memory; no more than the writer should wait for. */
size_t ring_stretch(const struct ring *ring);

/* The reader is done with `words` words from the record on that ring_peek gave. */
void ring_consume(struct ring *ring, size_t words);

/* Shows the writer how far the reader is. */
void ring_settle(struct ring *ring);

/* Releases the words of a ring that has been read to its end; the rest stays in the list. */
void ring_close(struct ring *ring);

#endif
