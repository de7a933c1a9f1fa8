/* SPDX-License-Identifier: MIT */
/* Nepotism: dead objects that minor collections keep, since old ones refer to them, dead
 * themselves, that no major collection has removed yet.
 *
 * A minor collection keeps the young objects that it finds by going from what is live, and from
 * all that is in the old space, along references. What is live refers to live objects (unless
 * deaths are recorded and wrong), so only what dead old objects lead to is looked for, over
 * dead young ones: nothing is done for what is live. */
#ifndef ETMERLIN_REPORT_SIMULATE_NEPOTISM_H
#define ETMERLIN_REPORT_SIMULATE_NEPOTISM_H

#include "report/report.h"
#include "report/simulate/kept_objects.h"
#include "report/simulate/simulated.h"

struct nepotism;

/* The `nursery_count` nurseries and material->events must stay. The caller owns *out
 * (nepotism_free). */
enum status nepotism_new(struct nepotism **out, const struct nursery *nurseries,
                         size_t nursery_count, const struct report_material *material,
                         struct failure *why) MUST_CHECK;

/* Before the first event: looks after a generational heap with nursery number `nursery`; both
 * must stay. */
enum status nepotism_add_heap(struct nepotism *nepotism, struct simulated *heap, size_t nursery,
                              struct failure *why) MUST_CHECK;

/* An object is born; minor collections that this takes have been made. */
enum status nepotism_born(struct nepotism *nepotism, const struct heap_birth *birth,
                          struct failure *why) MUST_CHECK;

enum status nepotism_died(struct nepotism *nepotism, const struct heap_death *death,
                          struct failure *why) MUST_CHECK;

/* A store, and whether it is one of a reference to a live object into a live one; these are
 * then of the given ages in each nursery (nursery_age): remembered if the container is old and
 * the value young. */
struct aged_store {
    bool counts;
    unsigned container[PLAN_SIZES_MOST], value[PLAN_SIZES_MOST];
};
enum status nepotism_add_store(struct nepotism *nepotism, const struct heap_store *store,
                               struct aged_store *ages, struct failure *why) MUST_CHECK;

/* A minor collection of a nursery: sets dead_promoted and dead_staying of its heaps to what it
 * keeps of the dead, if the heap needs no major one. Call it before simulated_collect_minor and
 * nursery_empty. */
enum status nepotism_collect(struct nepotism *nepotism, size_t nursery,
                             struct failure *why) MUST_CHECK;

/* NULL is allowed. */
void nepotism_free(struct nepotism *nepotism);

#endif
