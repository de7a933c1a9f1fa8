/* SPDX-License-Identifier: MIT */
/* An event is a number, its kind and some marks, and then the fields that it has; ids are steps
 * from the one before, which are short. Deaths are a list of their own, since they are known
 * only when the whole trace has been read. */
#include "report/lives/heap_events.h"

#include "base/bytes.h"
#include "io/temporary/numbers.h"

#include <stdlib.h>

/* What an event begins with: a kind of object, or STORE, and marks of a store. */
enum { STORE = 3, KIND_MASK = 3, SAME_CONTAINER = 4, STORES_NULL = 8, MARKS_SHIFT = 2 };

/* After this many events the program checks whether it is to end. */
enum { LOOK_EVERY = 1 << 14 };

/* What steps lead from. */
struct latest_ids {
    uint64_t object; /* allocated or stored */
    uint64_t container;
    uint64_t line; /* of a prior object; not an id */
};

struct heap_events {
    bool has_stores;
    struct number_list *events, *deaths;
    uint64_t event_count, death_count;
    struct latest_ids latest;
    uint64_t died_before; /* of the latest death */
};

/* A position among both. */
struct heap_walk {
    struct number_cursor *events, *deaths;
    uint64_t events_left, deaths_left;
    struct latest_ids latest;
    uint64_t allocations;    /* so far */
    struct heap_death death; /* the next one */
    bool has_death;
};

enum status heap_events_open(struct heap_events **out, bool has_stores,
                             const struct temporary_folder *temporary, struct failure *why)
{
    struct heap_events *events = calloc(1, sizeof *events);
    if (!events)
        return fail_memory(why);
    events->has_stores = has_stores;
    enum status status = number_list_open(&events->events, temporary, why);
    if (status == STATUS_OK)
        status = number_list_open(&events->deaths, temporary, why);
    if (status == STATUS_OK)
        *out = events;
    else
        heap_events_close(events);
    return status;
}

enum heap_object_kind heap_kind_of(unsigned kind)
{
    if (kind == RECORD_VM)
        return HEAP_OF_VM;
    return record_is_prior(kind) ? HEAP_PRIOR : HEAP_ALLOCATED;
}

enum status heap_events_add_birth(struct heap_events *events, const struct heap_birth *birth,
                                  struct failure *why)
{
    struct latest_ids *latest = &events->latest;
    TRY(number_list_add(events->events, birth->kind, why));
    TRY(number_list_add(events->events, varint_step(latest->object, birth->id), why));
    TRY(number_list_add(events->events, birth->size, why));
    if (birth->kind == HEAP_PRIOR) {
        TRY(number_list_add(events->events, varint_step(latest->line, birth->line), why));
        latest->line = birth->line;
    }
    latest->object = birth->id;
    events->event_count++;
    return STATUS_OK;
}

static enum status add_birth(struct heap_events *events, const struct record *record,
                             uint64_t line, struct failure *why)
{
    const struct heap_birth birth = {.kind = heap_kind_of(record->kind),
                                     .id = record->object,
                                     .line = line,
                                     .size = record->size};
    return heap_events_add_birth(events, &birth, why);
}

static enum status add_store(struct heap_events *events, const struct record *record,
                             struct failure *why)
{
    struct latest_ids *latest = &events->latest;
    bool is_same = record->container == latest->container;
    uint64_t head = STORE | (is_same ? SAME_CONTAINER : 0U) | (record->value ? 0 : STORES_NULL);
    enum status status = number_list_add(events->events, head, why);
    if (status == STATUS_OK && !is_same)
        status = number_list_add(events->events,
                                 varint_step(latest->container, record->container), why);
    if (status == STATUS_OK && record->value)
        status =
            number_list_add(events->events, varint_step(latest->object, record->value), why);
    if (status == STATUS_OK)
        status = number_list_add(events->events, record->field, why);
    latest->container = record->container;
    if (record->value)
        latest->object = record->value;
    events->event_count++;
    return status;
}

enum status heap_events_add(struct heap_events *events, const struct batch *batch,
                            struct failure *why)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < batch->count && status == STATUS_OK; i++) {
        const struct record *record = &batch->records[i];
        if (record_is_allocation(record->kind))
            status = add_birth(events, record, batch->first_line + record->line, why);
        else if (record->kind == RECORD_UPDATE && record->container != 0 && events->has_stores)
            status = add_store(events, record, why);
    }
    return status;
}

enum status heap_events_add_life(struct heap_events *events, const struct life_facts *life,
                                 struct failure *why)
{
    if (life->survives)
        return STATUS_OK;
    const uint64_t numbers[] = {(life->died_allocations - events->died_before) << MARKS_SHIFT |
                                    heap_kind_of(life->kind),
                                varint_step(life->died_allocations, life->allocation),
                                life->size, life->line};
    size_t count = life_is_prior(life) ? 4 : 3;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        status = number_list_add(events->deaths, numbers[i], why);
    events->died_before = life->died_allocations;
    events->death_count++;
    return status;
}

enum status heap_events_finish(struct heap_events *events, struct failure *why)
{
    TRY(number_list_finish(events->events, why));
    return number_list_finish(events->deaths, why);
}

void heap_events_close(struct heap_events *events)
{
    if (!events)
        return;
    number_list_close(events->events);
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
    enum status status = number_cursor_next(walk->deaths, &head, why);
    if (status == STATUS_OK)
        status = number_cursor_next(walk->deaths, &step, why);
    if (status == STATUS_OK)
        status = number_cursor_next(walk->deaths, &death->size, why);
    death->kind = (enum heap_object_kind)(head & KIND_MASK);
    if (status == STATUS_OK && death->kind == HEAP_PRIOR)
        status = number_cursor_next(walk->deaths, &death->line, why);
    death->before += head >> MARKS_SHIFT;
    death->number = varint_follow(death->before, step);
    return status;
}

/* Shows the deaths before the next allocation. */
static enum status visit_deaths(struct heap_walk *walk, const struct heap_visitor *visitor,
                                struct failure *why)
{
    enum status status = STATUS_OK;
    while (status == STATUS_OK && walk->has_death && walk->death.before <= walk->allocations) {
        status = visitor->died(visitor->context, &walk->death, why);
        if (status == STATUS_OK)
            status = fetch_death(walk, why);
    }
    return status;
}

static enum status visit_birth(struct heap_walk *walk, enum heap_object_kind kind,
                               const struct heap_visitor *visitor, struct failure *why)
{
    uint64_t step = 0, lines = 0;
    struct heap_birth birth = {.kind = kind, .number = walk->allocations};
    enum status status = number_cursor_next(walk->events, &step, why);
    if (status == STATUS_OK)
        status = number_cursor_next(walk->events, &birth.size, why);
    birth.id = walk->latest.object = varint_follow(walk->latest.object, step);
    if (status == STATUS_OK && kind == HEAP_PRIOR) {
        status = number_cursor_next(walk->events, &lines, why);
        birth.line = walk->latest.line = varint_follow(walk->latest.line, lines);
    }
    if (status == STATUS_OK && kind != HEAP_PRIOR)
        status = visit_deaths(walk, visitor, why);
    if (status == STATUS_OK)
        status = visitor->born(visitor->context, &birth, why);
    walk->allocations += kind != HEAP_PRIOR;
    return status;
}

static enum status visit_store(struct heap_walk *walk, uint64_t head,
                               const struct heap_visitor *visitor, struct failure *why)
{
    struct latest_ids *latest = &walk->latest;
    uint64_t step = 0;
    struct heap_store store = {.value = 0};
    enum status status = STATUS_OK;
    if (!(head & SAME_CONTAINER)) {
        status = number_cursor_next(walk->events, &step, why);
        latest->container = varint_follow(latest->container, step);
    }
    if (status == STATUS_OK && !(head & STORES_NULL)) {
        status = number_cursor_next(walk->events, &step, why);
        store.value = latest->object = varint_follow(latest->object, step);
    }
    if (status == STATUS_OK)
        status = number_cursor_next(walk->events, &store.field, why);
    store.container = latest->container;
    if (status != STATUS_OK || !visitor->stored)
        return status;
    return visitor->stored(visitor->context, &store, why);
}

static enum status visit_all(struct heap_walk *walk, const struct heap_visitor *visitor,
                             const struct interrupt *interrupt, struct failure *why)
{
    uint64_t head = 0;
    enum status status = fetch_death(walk, why);
    while (walk->events_left > 0 && status == STATUS_OK) {
        if (walk->events_left-- % LOOK_EVERY == 0)
            status = interrupt_check(interrupt, why);
        if (status == STATUS_OK)
            status = number_cursor_next(walk->events, &head, why);
        if (status != STATUS_OK)
            break;
        if ((head & KIND_MASK) == STORE)
            status = visit_store(walk, head, visitor, why);
        else
            status = visit_birth(walk, (enum heap_object_kind)head, visitor, why);
    }
    return status;
}

enum status heap_events_visit(const struct heap_events *events,
                              const struct heap_visitor *visitor,
                              const struct interrupt *interrupt, struct failure *why)
{
    struct heap_walk walk = {.events_left = events->event_count,
                             .deaths_left = events->death_count};
    enum status status = number_cursor_open(&walk.events, events->events, why);
    if (status == STATUS_OK)
        status = number_cursor_open(&walk.deaths, events->deaths, why);
    if (status == STATUS_OK)
        status = visit_all(&walk, visitor, interrupt, why);
    number_cursor_close(walk.events);
    number_cursor_close(walk.deaths);
    return status;
}
