/* SPDX-License-Identifier: MIT */
/* Who wants to see the events of objects in the second reading, as they come by. */
#ifndef ETMERLIN_MERLIN_OBSERVER_H
#define ETMERLIN_MERLIN_OBSERVER_H

#include "base/status.h"
#include "merlin/last_use.h"
#include "trace/batch.h"
#include "trace/line_map.h"

#include <stdbool.h>

struct merge_observer {
    /* `record`, in line `line` of the input, allocates an object. */
    enum status (*allocated)(void *context, const struct record *record, uint64_t line,
                             uint64_t event, struct failure *why);
    /* Objects die at `boundary`: their deaths follow. NULL: not wanted. */
    void (*boundary)(void *context, const struct record *boundary);
    /* `node` dies; `death` is its record. NULL: not wanted. */
    enum status (*died)(void *context, const struct record *death, node_t node, uint64_t event,
                        struct failure *why);
    void *context;
    /* Tell with `event` which record of the trace with its deaths it is, from 0. */
    bool wants_events;
    /* Of the input without its deaths. NULL, or a map in which lines are shared: which event it
     * is can only be known when all records are read, which is slower. */
    const struct line_map *lines;
};

/* How far an observer has seen the trace. */
struct showing {
    const struct merge_observer *observer; /* NULL: nobody wants to see it */
    uint64_t left;                         /* allocations that pass 1 has seen */
    bool reads_all;                        /* all records are shown */
    uint64_t records;                      /* so far, if events are wanted; without deaths */
    uint64_t deaths;                       /* so far */
};

/* Whether all records must be shown. NULL is allowed. */
bool observer_needs_all(const struct merge_observer *observer);

/* Starts in front of the trace of `history`. The observer may be NULL. */
struct showing show_to(const struct merge_observer *observer, const struct history *history,
                       bool reads_all);

/* Shows a record of the batch that is no death. Only a trace that has been changed since pass 1
 * can have more allocations than that has seen, and these are not shown; its digest will tell.
 */
enum status show_record(struct showing *showing, const struct batch *batch,
                        const struct record *record, struct failure *why) MUST_CHECK;

/* Shows a boundary at which objects may die. */
void show_boundary(struct showing *showing, const struct record *boundary);

/* Shows the death of `node`. */
enum status show_death(struct showing *showing, const struct record *death, node_t node,
                       struct failure *why) MUST_CHECK;

/* All records of the trace have come by; there may be deaths behind them. */
void show_end(struct showing *showing);

#endif
