/* SPDX-License-Identifier: MIT */
/* Objects, reference slots and frames are made and released together. They know nothing of each
 * other; pass 1 (merlin/apply.c) connects them. */
#include "heap/heap.h"

#include "heap/objects_inline.h"

enum status heap_init(struct heap *heap, struct failure *why)
{
    *heap = (struct heap){.objects = NULL};
    TRY(objects_new(&heap->objects, why));
    TRY(slots_new(&heap->slots, why));
    return frames_new(&heap->frames, why);
}

/* objects_move comes last: until then nodes have their old numbers, and so can be given the new
 * positions of their slots. */
enum status heap_move(struct heap *heap, const node_t *moved, struct failure *why)
{
    struct objects *objects = heap->objects;
    TRY(slots_move_begin(heap->slots, why));
    size_t count = objects_count(objects);
    for (size_t node = 0; node < count; node++)
        if (node == 0 || moved[node] != NODE_NONE)
            slots_move_list(heap->slots, *objects_first_slot(objects, (node_t)node));
    slots_move_end(heap->slots, moved);
    for (size_t node = 0; node < count; node++) {
        slot_t *first = objects_first_slot(objects, (node_t)node);
        *first = slots_moved(heap->slots, *first);
    }
    slots_move_done(heap->slots);
    frames_move(heap->frames, moved);
    return objects_move(objects, moved, why);
}

void heap_free(struct heap *heap)
{
    objects_free(heap->objects);
    slots_free(heap->slots);
    frames_free(heap->frames);
    *heap = (struct heap){.objects = NULL};
}
