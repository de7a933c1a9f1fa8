#include "heap/heap.h"

enum status heap_init(struct heap *heap, struct failure *why)
{
    *heap = (struct heap){.objects = NULL};
    enum status status = objects_new(&heap->objects, why);
    if (status == STATUS_OK)
        status = slots_new(&heap->slots, why);
    if (status == STATUS_OK)
        status = frames_new(&heap->frames, why);
    return status;
}

void heap_free(struct heap *heap)
{
    objects_free(heap->objects);
    slots_free(heap->slots);
    frames_free(heap->frames);
    *heap = (struct heap){.objects = NULL};
}
