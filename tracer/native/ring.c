/* SPDX-License-Identifier: MIT */
/* The position of a word is its number modulo the size. Each side keeps the count of the other
 * that it has read last, so the two processors rarely fetch each other's cache lines. */
#include "ring.h"

#include <stdlib.h>
#include <time.h>

enum {
    WAIT_NANOSECONDS = 50 * 1000,
    STRETCH_WORDS = 1 << 10,       /* the writer calls ring_wait at least so often */
    SHOWN_WORDS = RING_WORDS / 16, /* the reader shows its position at least so often */
};

_Atomic uint64_t ring_total;

struct ring *ring_new(uint64_t thread)
{
    struct ring *ring = aligned_alloc(64, sizeof *ring);
    uint64_t *words = malloc(RING_WORDS * sizeof *words);
    if (!ring || !words) {
        free(ring);
        free(words);
        return NULL;
    }
    *ring = (struct ring){.words = words, .thread = thread, .is_ready = true};
    return ring;
}

/* Waits until the reader has left room for `needed` words. */
static void wait_for_room(struct ring *ring, uint64_t needed)
{
    while (ring->next + needed - ring->read_seen > RING_WORDS) {
        ring->read_seen = atomic_load_explicit(&ring->read, memory_order_acquire);
        if (ring->next + needed - ring->read_seen > RING_WORDS)
            nanosleep(&(struct timespec){.tv_nsec = WAIT_NANOSECONDS}, NULL);
    }
}

/* Sets how far records have room without another look: to the end of the words, of what has
 * been read, or of STRETCH_WORDS. */
static void set_limit(struct ring *ring)
{
    uint64_t end = ring->next - ring->next % RING_WORDS + RING_WORDS;
    uint64_t room = lesser(end, ring->read_seen + RING_WORDS) - RECORD_WORDS;
    ring->limit = lesser(room, ring->next + STRETCH_WORDS);
}

uint64_t *ring_wait(struct ring *ring)
{
    uint64_t rest = RING_WORDS - ring->next % RING_WORDS;
    atomic_fetch_add_explicit(&ring_total, ring->next - ring->total_seen, memory_order_relaxed);
    ring->total_seen = ring->next;
    if (rest < RECORD_WORDS) {
        wait_for_room(ring, rest + RECORD_WORDS);
        ring->words[ring->next % RING_WORDS] = RING_SKIP;
        ring_publish(ring, rest);
    } else {
        wait_for_room(ring, RECORD_WORDS);
    }
    set_limit(ring);
    return ring->words + ring->next % RING_WORDS;
}

void ring_look(struct ring *ring)
{
    ring->written_before = ring->written_seen;
    ring->written_seen = atomic_load_explicit(&ring->written, memory_order_acquire);
}

const uint64_t *ring_peek(struct ring *ring)
{
    while (ring->position != ring->written_seen) {
        size_t place = ring->position % RING_WORDS;
        if (ring->words[place] != RING_SKIP)
            return ring->words + place;
        ring_consume(ring, RING_WORDS - place);
    }
    return NULL;
}

size_t ring_stretch(const struct ring *ring)
{
    if (!ring_was_there(ring))
        return 0;
    uint64_t rest = RING_WORDS - ring->position % RING_WORDS;
    return lesser(lesser(rest, SHOWN_WORDS), ring->written_before - ring->position);
}

void ring_consume(struct ring *ring, size_t words)
{
    ring->position += words;
    if (ring->position - atomic_load_explicit(&ring->read, memory_order_relaxed) >= SHOWN_WORDS)
        ring_settle(ring);
}

bool ring_begins(const struct ring *ring, uint64_t id)
{
    const volatile uint64_t *words = ring->words;
    uint64_t place = atomic_load(&ring->written) % RING_WORDS;
    return place + RECORD_WORDS <= RING_WORDS &&
           (words[place + 1] >> 8 & 0xff) == RECORD_WORDS && words[place + 2] == id;
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
