/* SPDX-License-Identifier: MIT */
/* What pass 1 found in the records of a batch, in the order in which it happened. Recorders
 * (recorders/), which keep more than last uses, see these events and the records. */
#ifndef ETMERLIN_MERLIN_EVENTS_H
#define ETMERLIN_MERLIN_EVENTS_H

#include "heap/objects.h"
#include "trace/batch.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The ways of using an object. */
enum use {
    USE_NAMED,       /* a record named the object */
    USE_OVERWRITTEN, /* a reference to it in an object was overwritten or cleared */
    USE_STATIC,      /* as USE_OVERWRITTEN, in a static field */
    USE_POPPED       /* a frame that held it was popped */
};

enum seen_kind {
    SEEN_THREAD, /* what follows, up to the next event of this kind, is of thread number
                    `number`; it comes before all others but deaths */
    SEEN_BIRTH,  /* of `node`, which its id means from now on; `how`: enum allocation; `other`:
                    what the id meant before; its use follows */
    SEEN_USE,    /* of `node`; `how`: enum use */
    SEEN_REPLACED, /* another value has replaced `other`, whose use was just before, in a field
                      of `node`; `tick`: the mark that the slot had (struct seen_events) */
    SEEN_STORE,    /* of `other` in a field of `node`, an object (struct seen_events) */
    SEEN_ENTRY,    /* a frame opens, of the record's method; the clock has ticked */
    SEEN_EXIT,     /* `number` frames are popped; their uses follow, then the tick */
    SEEN_DEATH     /* recorded, of the allocated `node`, which its id means; NODE_NONE: none, or
                      objects of deaths are not wanted */
};

struct seen_event {
    uint64_t tick;
    union {
        struct {
            node_t node, other;
        };
        uint64_t number;
    };
    uint32_t record; /* its index in the batch */
    uint8_t kind, how;
};

/* Zero-initialize it; `items` is released with free. */
struct seen_events {
    struct seen_event *items;
    size_t count, capacity;
    uint32_t *births; /* owned: the indices of those of kind SEEN_BIRTH */
    size_t birth_count, birth_capacity;
    bool has_replaced; /* SEEN_REPLACED is wanted: slots have marks (slots.h), which become the
                          time at which they were stored to */
    bool has_stores;   /* SEEN_STORE is wanted */
    bool has_deaths;   /* the objects of deaths are wanted */
};

struct pass;

/* What a recorder sees. */
struct seen_batch {
    const struct pass *pass; /* as it is after these records */
    const struct batch *batch;
    const struct seen_events *events;
    size_t first;    /* number of the first record in the batch, */
    size_t end;      /* and that after the last one */
    uint64_t record; /* how many records came before it, deaths not counted */
    size_t nodes;    /* one more than the largest node that events are about */
};

/* The record of an event. */
static inline const struct record *seen_record(const struct seen_batch *seen,
                                               const struct seen_event *event)
{
    return &seen->batch->records[event->record];
}

/* The number of the record of an event that is no death, from 1, deaths not counted; `deaths`
 * of them have been seen before it. */
static inline uint64_t seen_number(const struct seen_batch *seen,
                                   const struct seen_event *event, uint64_t deaths)
{
    return seen->record + (event->record - seen->first) + 1 - deaths;
}

#endif
