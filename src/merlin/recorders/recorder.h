/* SPDX-License-Identifier: MIT */
/* What recorders see: the records of a batch that pass 1 has applied, and what happened. */
#ifndef ETMERLIN_MERLIN_RECORDERS_RECORDER_H
#define ETMERLIN_MERLIN_RECORDERS_RECORDER_H

#include "merlin/apply.h"

struct seen_batch {
    const struct pass *pass; /* as it is after these records */
    const struct batch *batch;
    const struct seen_events *events;
    size_t first;    /* number of the first record in the batch, */
    size_t end;      /* and that after the last one */
    uint64_t record; /* how many records came before it, deaths not counted */
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

/* One more than the largest node that events are about. */
static inline size_t seen_nodes(const struct seen_batch *seen)
{
    return objects_count(seen->pass->heap.objects);
}

#endif
