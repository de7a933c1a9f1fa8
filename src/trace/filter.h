/* SPDX-License-Identifier: MIT */
/* Which records a second reading of an input delivers: some of the boundaries, and all deaths.
 */
#ifndef ETMERLIN_TRACE_FILTER_H
#define ETMERLIN_TRACE_FILTER_H

#include "trace/batch.h"

#include <stdbool.h>

struct boundary_filter {
    /* Returns the next boundary that is wanted, counted from 1: a larger number with each call,
     * UINT64_MAX in the end. It may be called in another thread than that of the reader's user,
     * and must not share with it anything that changes. */
    uint64_t (*next)(void *context);
    void *context;
};

/* How far a filter has come. */
struct filtering {
    const struct boundary_filter *filter; /* NULL: all records are wanted */
    uint64_t boundaries;                  /* so far */
    uint64_t wanted;                      /* the boundary that the filter wants next */
};

/* Starts before the first record. `filter` may be NULL; otherwise it must outlive what is
 * returned. */
static inline struct filtering filtering_begin(const struct boundary_filter *filter)
{
    return (struct filtering){.filter = filter,
                              .wanted = filter ? filter->next(filter->context) : 0};
}

/* Whether the filter, which is not NULL, lets the next record through; `kind` is its kind. */
static inline bool filtering_wants(struct filtering *filtering, unsigned kind)
{
    const struct boundary_filter *filter = filtering->filter;
    if (kind == RECORD_DEATH)
        return true;
    if (!record_is_boundary(kind) || ++filtering->boundaries != filtering->wanted)
        return false;
    filtering->wanted = filter->next(filter->context);
    return true;
}

/* Removes from the batch what the filter, which is not NULL, does not want. The batch must have
 * all records of the trace that follow those of the batch before. */
static inline void filtering_apply(struct filtering *filtering, struct batch *batch)
{
    size_t kept = 0;
    for (size_t i = 0; i < batch->count; i++)
        if (filtering_wants(filtering, batch->records[i].kind))
            batch->records[kept++] = batch->records[i];
    batch->count = kept;
}

#endif
