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

/* Makes the three parts; heap_free releases what there is of them, also after a failure. */
enum status heap_init(struct heap *heap, struct failure *why) MUST_CHECK;

void heap_free(struct heap *heap);

#endif
