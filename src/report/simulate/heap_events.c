/* SPDX-License-Identifier: MIT */
/* Deaths are a list of their own, since they are known only when the whole trace has been read.
 * A death is written as steps, which are short. */
#include "report/simulate/heap_events.h"

#include "base/bytes.h"
#include "io/temporary/numbers.h"

#include <stdlib.h>

/* What a death begins with: allocations since the one before, its kind, and a mark. */
enum { KIND_MASK = 3, EARLY_MARK = 4, MARKS_SHIFT = 3 };

/* After this many events the program checks whether it is to end. */
enum { LOOK_EVERY = 1 << 14 };

struct heap_events {
    const struct stores *stores; /* with the allocations */
    struct stores *births;       /* owned: the same, if there are no stores; NULL: there are */
    struct number_list *deaths;
    uint64_t death_count;
    uint64_t died_before; /* of the latest death: allocations, prior objects not counted */
};

/* A position among both. */
struct heap_walk {
    struct store_cursor *changes;
    struct number_cursor *deaths;
    uint64_t deaths_left;
    uint64_t allocations;    /* so far, prior objects not counted */
    uint64_t before;         /* so many of these come before the next death */
    struct heap_death death; /* the next one */
    bool has_death;
};

static enum status open_lists(struct heap_events *events,
                              const struct temporary_folder *temporary, struct failure *why)
{
    if (!events->stores)
        TRY(stores_open(&events->births, temporary, why));
    if (!events->stores)
        events->stores = events->births;
    return number_list_open(&events->deaths, temporary, why);
}

enum status heap_events_open(struct heap_events **out, const struct stores *stores,
                             const struct temporary_folder *temporary, struct failure *why)
{
    struct heap_events *events = calloc(1, sizeof *events);
    if (!events)
        return fail_memory(why);
    events->stores = stores;
    enum status status = open_lists(events, temporary, why);
    if (status == STATUS_OK)
        *out = events;
    else
        heap_events_close(events);
    return status;
}

/* That of the object that a record of this kind allocates. */
static enum heap_object_kind heap_kind_of(unsigned kind)
{
    if (kind == RECORD_VM)
        return HEAP_OF_VM;
    return record_is_prior(kind) ? HEAP_PRIOR : HEAP_ALLOCATED;
}

enum status heap_events_add_birth(struct heap_events *events, const struct birth_facts *birth,
                                  struct failure *why)
{
    return stores_add_birth(events->births, (unsigned)birth->kind, birth->size, why);
}

/* A death that is computed comes after all that names the object. */
static bool is_early(const struct life_facts *life)
{
    return life->last_use.tick >= life->died.tick;
}

enum status heap_events_add_life(struct heap_events *events, const struct life_facts *life,
                                 struct failure *why)
{
    if (life->survives)
        return STATUS_OK;
    uint64_t number = events->births ? life->allocation : life->number;
    uint64_t marks = heap_kind_of(life->kind) | (is_early(life) ? EARLY_MARK : 0U);
    TRY(number_list_add(events->deaths,
                        (life->died_allocations - events->died_before) << MARKS_SHIFT | marks,
                        why));
    TRY(number_list_add(events->deaths, varint_step(life->died_allocations, number), why));
    events->died_before = life->died_allocations;
    events->death_count++;
    return number_list_add(events->deaths, life->size, why);
}

enum status heap_events_finish(struct heap_events *events, struct failure *why)
{
    if (events->births)
        TRY(stores_finish(events->births, NULL, why));
    return number_list_finish(events->deaths, why);
}

bool heap_events_is_prior(const struct heap_events *events, uint64_t number)
{
    return stores_is_prior(events->stores, number);
}

void heap_events_close(struct heap_events *events)
{
    if (!events)
        return;
    stores_close(events->births);
    number_list_close(events->deaths);
    free(events);
}

/* Reads the next death. */
static enum status fetch_death(struct heap_walk *walk, struct failure *why)
{
    struct heap_death *death = &walk->death;
    uint64_t head = 0, step = 0;
    walk->has_death = walk->deaths_left > 0;
    if (!walk->has_death)
        return STATUS_OK;
    walk->deaths_left--;
    TRY(number_cursor_next(walk->deaths, &head, why));
    TRY(number_cursor_next(walk->deaths, &step, why));
    walk->before += head >> MARKS_SHIFT;
    death->kind = (enum heap_object_kind)(head & KIND_MASK);
    death->is_early = head & EARLY_MARK;
    death->number = varint_follow(walk->before, step) + 1;
    return number_cursor_next(walk->deaths, &death->size, why);
}

/* Shows the deaths before allocation `number`. */
static enum status visit_deaths(struct heap_walk *walk, uint64_t number,
                                const struct heap_visitor *visitor, struct failure *why)
{
    while (walk->has_death && walk->before <= walk->allocations) {
        walk->death.before = number;
        TRY(visitor->died(visitor->context, &walk->death, why));
        TRY(fetch_death(walk, why));
    }
    return STATUS_OK;
}

static enum status visit_birth(struct heap_walk *walk, const struct heap_change *change,
                               const struct heap_visitor *visitor, struct failure *why)
{
    const struct heap_birth birth = {
        .kind = heap_kind_of(change->kind), .number = change->object, .size = change->size};
    if (birth.kind != HEAP_PRIOR)
        TRY(visit_deaths(walk, birth.number, visitor, why));
    walk->allocations += birth.kind != HEAP_PRIOR;
    return visitor->born(visitor->context, &birth, why);
}

static enum status visit_store(const struct heap_change *change,
                               const struct heap_visitor *visitor, struct failure *why)
{
    const struct heap_store store = {change->object, change->field, change->value};
    return visitor->stored ? visitor->stored(visitor->context, &store, why) : STATUS_OK;
}

static enum status visit_all(struct heap_walk *walk, const struct heap_visitor *visitor,
                             const struct interrupt *interrupt, struct failure *why)
{
    struct heap_change change;
    TRY(fetch_death(walk, why));
    for (uint64_t i = 0;; i++) {
        if (i % LOOK_EVERY == 0)
            TRY(interrupt_check(interrupt, why));
        enum status status = store_cursor_next(walk->changes, &change, why);
        if (status != STATUS_OK)
            return status == STATUS_END ? STATUS_OK : status;
        TRY(change.kind == RECORD_UPDATE ? visit_store(&change, visitor, why)
                                         : visit_birth(walk, &change, visitor, why));
    }
}

enum status heap_events_visit(const struct heap_events *events,
                              const struct heap_visitor *visitor,
                              const struct interrupt *interrupt, struct failure *why)
{
    struct heap_walk walk = {.deaths_left = events->death_count};
    enum status status = store_cursor_open(&walk.changes, events->stores, why);
    if (status == STATUS_OK)
        status = number_cursor_open(&walk.deaths, events->deaths, why);
    if (status == STATUS_OK)
        status = visit_all(&walk, visitor, interrupt, why);
    store_cursor_close(walk.changes);
    number_cursor_close(walk.deaths);
    return status;
}
