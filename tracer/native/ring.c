/* SPDX-License-Identifier: MIT */
/* Positions count words from the beginning of time; the place of a word is its position modulo
 * the size. Each side keeps its last look at the other's position, so that the two processors
 * rarely fetch each other's cache lines. */
#include "ring.h"

#include <stdlib.h>
#include <time.h>

enum { WAIT_NANOSECONDS = 50 * 1000 };

struct ring *ring_new(uint64_t thread)
{
    struct ring *ring = aligned_alloc(64, sizeof *ring);
    uint64_t *words = malloc(RING_WORDS * sizeof *words);
    if (!ring || !words) {
        free(ring);
        free(words);
        return NULL;
    }
    *ring = (struct ring){.words = words, .thread = thread};
    return ring;
}

/* Waits until the reader has left room for `needed` words after `written`. */
static void wait_for_room(struct ring *ring, size_t written, size_t needed)
{
    while (written + needed - ring->read_seen > RING_WORDS) {
        ring->read_seen = atomic_load_explicit(&ring->read, memory_order_acquire);
        if (written + needed - ring->read_seen > RING_WORDS)
            nanosleep(&(struct timespec){.tv_nsec = WAIT_NANOSECONDS}, NULL);
    }
}

uint64_t *ring_wait(struct ring *ring)
{
    size_t written = atomic_load_explicit(&ring->written, memory_order_relaxed);
    size_t place = written % RING_WORDS;
    if (place > RING_WORDS - RECORD_WORDS) {
        size_t rest = RING_WORDS - place;
        wait_for_room(ring, written, rest + RECORD_WORDS);
        ring->words[place] = RING_SKIP;
        written += rest;
        atomic_store_explicit(&ring->written, written, memory_order_release);
        place = 0;
    } else {
        wait_for_room(ring, written, RECORD_WORDS);
    }
    return ring->words + place;
}

const uint64_t *ring_peek(struct ring *ring)
{
    if (ring->position == ring->written_seen) {
        ring->written_seen = atomic_load_explicit(&ring->written, memory_order_acquire);
        if (ring->position == ring->written_seen)
            return NULL;
    }
    size_t place = ring->position % RING_WORDS;
    if (ring->words[place] != RING_SKIP)
        return ring->words + place;
    ring_consume(ring, RING_WORDS - place);
    return ring_peek(ring);
}

void ring_consume(struct ring *ring, size_t words)
{
    enum { TELL_WORDS = RING_WORDS / 16 };
    ring->position += words;
    if (ring->position - atomic_load_explicit(&ring->read, memory_order_relaxed) >= TELL_WORDS)
        ring_settle(ring);
}

void ring_settle(struct ring *ring)
{
    atomic_store_explicit(&ring->read, ring->position, memory_order_release);
}

void ring_close(struct ring *ring)
{
    free(ring->words);
    ring->words = NULL;
    ring->is_closed = true;
}
