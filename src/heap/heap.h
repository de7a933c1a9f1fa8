/* SPDX-License-Identifier: MIT */
/* The heap as the trace shows it. */
#ifndef ETMERLIN_HEAP_HEAP_H
#define ETMERLIN_HEAP_HEAP_H

#include "heap/frames.h"
#include "heap/objects.h"
#include "heap/slots.h"

struct heap {
    struct objects *objects;
    struct slots *slots;
    struct frames *frames;
};

/* Makes the three parts. heap_free releases those that exist, also after a failure. */
enum status heap_init(struct heap *heap, struct failure *why) MUST_CHECK;

/* Releases the nodes with moved[node] 0, other than node 0, and their slots; each other node
 * becomes node moved[node]. These numbers go up as nodes do, from 1 without gaps. No node that
 * stays, no static field and no frame refers to one that is released. An id means the last of
 * the nodes that have it. */
enum status heap_move(struct heap *heap, const node_t *moved, struct failure *why) MUST_CHECK;

/* A measure of the heap's size, and of the time that a walk over it takes: nodes and slots. */
static inline size_t heap_weight(const struct heap *heap)
{
    return objects_count(heap->objects) + slots_present(heap->slots);
}

void heap_free(struct heap *heap);

#endif
