/* SPDX-License-Identifier: MIT */
/* What ids come to mean that stores have before their objects are allocated. It is known only
 * later in the trace, but matters at once: an object that was there before the trace holds what
 * it refers to from the beginning, and one that is never allocated needs no room. So a first
 * pass over the events finds the meaning of each of these early names. */
#ifndef ETMERLIN_REPORT_SIMULATE_EARLY_NAMES_H
#define ETMERLIN_REPORT_SIMULATE_EARLY_NAMES_H

#include "report/lives/heap_events.h"
#include "report/node_index.h"

/* Numbers of names, in the order in which stores first have them, ascending. */
struct name_numbers {
    uint64_t *items;
    size_t count, capacity;
    size_t at; /* the first that has not been reached */
};

struct early_names {
    uint64_t next;              /* number of the next name */
    struct name_numbers priors; /* of objects that were there before the trace */
    struct name_numbers never;  /* of objects that are not allocated; once reached, their ids */
    struct node_index never_ids;
};

/* What a name comes to mean: an object that is allocated, or was there before the trace, or
 * nothing. */
enum early_name { NAME_ALLOCATED, NAME_PRIOR, NAME_NEVER };

struct early_options {
    uint64_t window; /* fewest objects kept before any are released; 0: the default */
    const struct interrupt *interrupt;
};

/* Finds what each early name in `events` comes to mean; *out is zero-initialized, and
 * early_names_free ends it, also after a failure. */
enum status early_names_find(struct early_names *out, const struct heap_events *events,
                             const struct early_options *options,
                             struct failure *why) MUST_CHECK;

/* Whether an id has come to mean, for good, an object that is not allocated. */
bool early_names_are_never(const struct early_names *names, uint64_t id);

/* A store has an id that means nothing yet: sets *meaning to what it comes to mean. To be
 * called for the stores in their order. */
enum status early_names_next(struct early_names *names, uint64_t id, enum early_name *meaning,
                             struct failure *why) MUST_CHECK;

void early_names_free(struct early_names *names);

#endif
