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
    FETCHED_WORDS = 32,   /* how far ahead of the writing words are fetched */
};

/* Words are numbered from 0 on, over all rounds. A record has its stamp, its head
 * (RECORD_HEAD) and its other fields. */
struct ring {
    /* The writer's. */
    uint64_t next;       /* words written */
    uint64_t limit;      /* a record has room while `next` is no more */
    uint64_t stamp;      /* of the latest record */
    uint64_t *words;     /* RING_WORDS; NULL once it is closed */
    uint64_t total_seen; /* `next` when it was last counted in ring_total */
    uint64_t read_seen;  /* `read` at the last look */
    /* `written` is shown to the reader. It has a cache line of its own: a look takes the line
     * from the writer. */
    _Alignas(64) _Atomic uint64_t written; /* as `next` */
    _Alignas(64) _Atomic uint64_t read;    /* words, shown to the writer */
    /* The reader's. */
    uint64_t position;       /* words read */
    uint64_t written_seen;   /* `written` at the last look */
    uint64_t written_before; /* `written` at the look before */
    bool is_closed;          /* read to the end, and the words are released */
    struct ring *others;     /* in the list of all */
    uint64_t thread;         /* the id of the thread whose records follow, when it is ready */
    uint64_t allocated;      /* bytes of allocations read since the last boundary, or tick */
    _Atomic bool is_ready;   /* may be read; until then, later records of all rings wait */
    _Atomic bool is_ended;   /* nothing more will be written */
};

/* What stands in place of a stamp where the rest of the ring is too short for a record. */
#define RING_SKIP UINT64_MAX

/* The words that all threads have written, without up to some thousand of each
 * (ring_total_now). */
extern _Atomic uint64_t ring_total;

static inline uint64_t lesser(uint64_t one, uint64_t other)
{
    return one < other ? one : other;
}

/* Makes the ring of a thread; NULL: no memory. */
struct ring *ring_new(uint64_t thread);

/* As ring_reserve, if it is not known whether there is room. */
uint64_t *ring_wait(struct ring *ring);

/* Room for RECORD_WORDS words; waits for the reader while there is none. Words to be written
 * soon are fetched early, from the reader's processor, which had them last. */
static inline uint64_t *ring_reserve(struct ring *ring)
{
    if (ring->next > ring->limit)
        return ring_wait(ring);
    size_t place = ring->next % RING_WORDS;
    __builtin_prefetch(ring->words + (place + FETCHED_WORDS) % RING_WORDS, 1);
    return ring->words + place;
}

/* Makes the first `words` reserved words a record. Other threads see it before what this
 * thread does next. */
static inline void ring_publish(struct ring *ring, size_t words)
{
    ring->next += words;
    atomic_store_explicit(&ring->written, ring->next, memory_order_release);
    atomic_thread_fence(memory_order_release);
}

/* ring_total, but with all words of this ring. */
static inline uint64_t ring_total_now(const struct ring *ring)
{
    return atomic_load_explicit(&ring_total, memory_order_relaxed) + ring->next -
           ring->total_seen;
}

/* The reader looks how far the writer has come. */
void ring_look(struct ring *ring);

/* The next record of those seen, or NULL. */
const uint64_t *ring_peek(struct ring *ring);

/* Whether the next record, which ring_peek gave, was there at the look before the last. */
static inline bool ring_was_there(const struct ring *ring)
{
    return ring->position < ring->written_before;
}

/* How many words, from the record that ring_peek gave on, were there at the look before the
 * last and are one after the other in memory. Not more than the reader may keep before it
 * shows that it has read them. */
size_t ring_stretch(const struct ring *ring);

/* The reader is done with `words` words from the record on that ring_peek gave. */
void ring_consume(struct ring *ring, size_t words);

/* Whether the record behind those that are shown may be of the allocation of that object.
 * Another thread than the writer and the reader may ask. */
bool ring_begins(const struct ring *ring, uint64_t id);

/* Shows the writer how far the reader has come. */
void ring_settle(struct ring *ring);

/* Releases the words of a ring that has been read to its end. */
void ring_close(struct ring *ring);

#endif
