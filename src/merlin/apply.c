/* SPDX-License-Identifier: MIT */
/* Each mention of an object in a record is a use at the tick of that moment, and each record is
 * applied to the heap: references change, and frames open and close. The program spends most of
 * its time here, so all of it is compiled twice: with somebody who looks at events, and
 * without. */
#include "merlin/apply.h"

#include "base/memory.h"
#include "heap/frames_inline.h"
#include "heap/objects_inline.h"

/* Begins the definition of a function that most records go through: a call of it would cost as
 * much as its work. */
#define EACH_RECORD static inline __attribute__((always_inline))

/* The most events of a record, without the uses of what popped frames held. */
enum { MOST_EVENTS = 8 };

/* The record that is being applied. */
struct applying {
    struct pass *pass;
    struct seen_events *events; /* NULL: nobody looks */
    const struct record *record;
    uint32_t index;  /* in the batch */
    uint32_t end;    /* of the records that are to be applied */
    uint32_t thread; /* number */
};

/* Makes room for the events of the present record and those after it, and for `more`. */
static enum status reserve(const struct applying *at, size_t more, struct failure *why)
{
    struct seen_events *events = at->events;
    size_t records = at->end - at->index;
    return ARRAY_RESERVE(events->items, events->capacity,
                         events->count + MOST_EVENTS * records + more) &&
                   ARRAY_RESERVE(events->births, events->birth_capacity,
                                 events->birth_count + records)
               ? STATUS_OK
               : fail_memory(why);
}

/* An event of the present record, for which there is room; the caller sets what it is about. */
EACH_RECORD struct seen_event *add_event(const struct applying *at, enum seen_kind kind,
                                         unsigned how)
{
    struct seen_event *event = &at->events->items[at->events->count++];
    event->tick = at->pass->clock.now;
    event->record = at->index;
    event->kind = (uint8_t)kind;
    event->how = (uint8_t)how;
    return event;
}

/* Something happens to `node`; `other` is as its kind says (events.h). */
EACH_RECORD void happens(const struct applying *at, enum seen_kind kind, unsigned how,
                         node_t node, node_t other)
{
    if (!at->events)
        return;
    struct seen_event *event = add_event(at, kind, how);
    event->node = node;
    event->other = other;
}

EACH_RECORD void use_node(const struct applying *at, node_t node, enum use use)
{
    objects_use(at->pass->heap.objects, node, at->pass->clock.now);
    if (node != NODE_NONE)
        happens(at, SEEN_USE, use, node, NODE_NONE);
}

/* Uses object `id`, or null. Sets *node to its node. */
EACH_RECORD enum status use_id(const struct applying *at, uint64_t id, node_t *node,
                               struct failure *why)
{
    TRY(objects_find(at->pass->heap.objects, id, node, why));
    use_node(at, *node, USE_NAMED);
    return STATUS_OK;
}

/* Makes the innermost frame hold what a record names, if frames hold what is named. */
EACH_RECORD enum status hold(const struct applying *at, node_t node, struct failure *why)
{
    return at->pass->held_by == HELD_BY_FRAME
               ? frames_hold(at->pass->heap.frames, at->thread, node, why)
               : STATUS_OK;
}

EACH_RECORD enum status name(const struct applying *at, uint64_t id, struct failure *why)
{
    node_t node;
    TRY(use_id(at, id, &node, why));
    return hold(at, node, why);
}

EACH_RECORD enum status tick(const struct applying *at, struct failure *why)
{
    struct clock *clock = &at->pass->clock;
    if (at->pass->explicit_time)
        return clock_tick_at(clock, at->record->time, why);
    clock_tick(clock);
    return STATUS_OK;
}

EACH_RECORD enum status allocate(const struct applying *at, struct failure *why)
{
    struct objects *objects = at->pass->heap.objects;
    uint64_t id = at->record->object;
    node_t node, before;
    enum allocation how;
    TRY(objects_allocate(objects, id, at->thread, &before, &node, &how, why));
    trace_counts_allocation(&at->pass->counts, how);
    if (at->events)
        at->events->births[at->events->birth_count++] = (uint32_t)at->events->count;
    happens(at, SEEN_BIRTH, how, node, before);
    use_node(at, node, USE_NAMED);
    return hold(at, node, why);
}

/* Whether the frame that the record opens holds its receiver. */
EACH_RECORD bool holds_receiver(const struct pass *pass)
{
    if (pass->held_by == HELD_BY_RECEIVER)
        return pass->record != pass->abandoned;
    return pass->held_by == HELD_BY_FRAME;
}

EACH_RECORD enum status enter(const struct applying *at, struct failure *why)
{
    struct frames *frames = at->pass->heap.frames;
    node_t receiver;
    TRY(tick(at, why));
    happens(at, SEEN_ENTRY, 0, NODE_NONE, NODE_NONE);
    TRY(use_id(at, at->record->receiver, &receiver, why));
    TRY(frames_enter(frames, at->thread, at->record->method, why));
    return holds_receiver(at->pass) ? frames_hold(frames, at->thread, receiver, why)
                                    : STATUS_OK;
}

/* Pops frames for an exit from another frame than the innermost one, or of an unknown frame.
 * The frames above the one that is left were abandoned, at an unknown moment: with
 * HELD_BY_RECEIVER they count as having held nothing. With HELD_BY_FRAME they held their nodes,
 * for what looks like a record of an abandoned frame may be one of the frame below, which
 * caught the exception. */
static enum status leave_other(const struct applying *at, struct frames_left *left,
                               struct failure *why)
{
    struct pass *pass = at->pass;
    if (pass->counts_frames)
        frames_pop_count(pass->heap.frames, at->thread, at->record->method, left);
    else
        TRY(frames_leave(pass->heap.frames, at->thread, at->record->method, left, why));
    pass->counts.unmatched_exits += !left->matched;
    pass->counts.unwound_frames += left->unwound;
    if (pass->held_by != HELD_BY_FRAME)
        left->held_count = left->own_count;
    return STATUS_OK;
}

/* Pops the frame of the record's method, and uses what the popped frames held. */
EACH_RECORD enum status leave(const struct applying *at, struct failure *why)
{
    struct frames *frames = at->pass->heap.frames;
    struct frames_left left = {.matched = true};
    if (at->pass->counts_frames ||
        !frames_leave_top(frames, at->thread, at->record->method, &left.held, &left.held_count))
        TRY(leave_other(at, &left, why));
    if (at->events)
        TRY(reserve(at, left.held_count, why));
    if (at->events && left.matched)
        add_event(at, SEEN_EXIT, 0)->number = left.unwound + 1;
    for (size_t i = 0; i < left.held_count; i++)
        use_node(at, left.held[i], USE_POPPED);
    return tick(at, why);
}

EACH_RECORD enum status leave_by_exception(const struct applying *at, struct failure *why)
{
    node_t receiver;
    TRY(use_id(at, at->record->receiver, &receiver, why));
    TRY(leave(at, why));
    return name(at, at->record->exception, why);
}

/* How a store of `value` in `container` uses `old`, the value before. A reference of an object
 * to itself never held it, and a value that is stored again is not lost. */
EACH_RECORD enum use use_of_old(node_t container, node_t value, node_t old)
{
    if (old == value || old == container)
        return USE_NAMED;
    return container == NODE_NONE ? USE_STATIC : USE_OVERWRITTEN;
}

/* Another value has replaced `old` in the slot of `container` that was just stored to. */
static void replace(const struct applying *at, node_t container, node_t old)
{
    const struct clock *clock = &at->pass->clock;
    uint64_t mark = slots_exchange_mark(at->pass->heap.slots, clock_time(clock, clock->now));
    if (old == NODE_NONE)
        return;
    struct seen_event *event = add_event(at, SEEN_REPLACED, 0);
    event->tick = mark;
    event->node = container;
    event->other = old;
}

/* Applies an update, which also uses the old value, since that was reachable through the slot
 * until now. */
EACH_RECORD enum status update(const struct applying *at, struct failure *why)
{
    struct heap *heap = &at->pass->heap;
    node_t container, value, old;
    TRY(use_id(at, at->record->container, &container, why));
    TRY(use_id(at, at->record->value, &value, why));
    TRY(slots_store(heap->slots, container, objects_first_slot(heap->objects, container),
                    at->record->field, value, &old, why));
    use_node(at, old, use_of_old(container, value, old));
    if (at->events && at->events->has_replaced && old != value)
        replace(at, container, old);
    if (at->events && at->events->has_stores && container != NODE_NONE)
        happens(at, SEEN_STORE, 0, container, value);
    TRY(hold(at, container, why));
    return hold(at, value, why);
}

/* Applies a record that does nothing but name objects. */
static enum status name_all(const struct applying *at, struct failure *why)
{
    const struct record_layout *layout = record_layout_find(at->record->kind);
    for (size_t i = 0; layout && i < layout->count; i++)
        if (layout->fields[i].role == ROLE_OBJECT)
            TRY(name(at, record_value(at->record, &layout->fields[i]), why));
    return STATUS_OK;
}

/* A death that the trace has. Deaths of objects that are not allocated mean no object. */
static void note_death(const struct applying *at)
{
    const struct objects *objects = at->pass->heap.objects;
    node_t node =
        at->events->has_deaths ? objects_known(objects, at->record->object) : NODE_NONE;
    if (node != NODE_NONE && !objects_is_allocated(objects, node))
        node = NODE_NONE;
    happens(at, SEEN_DEATH, 0, node, NODE_NONE);
}

EACH_RECORD enum status apply_record(struct applying *at, struct failure *why)
{
    struct pass *pass = at->pass;
    const struct record *record = at->record;
    if (pass->ticks_by_time && record->time > pass->clock.now)
        pass->clock.now = record->time;
    if (record->kind == RECORD_DEATH) {
        if (at->events)
            note_death(at);
        return STATUS_OK;
    }
    pass->record++;
    TRY(frames_follow_thread(pass->heap.frames, pass->explicit_time ? 0 : record->thread,
                             &pass->thread, why));
    if (at->events && at->thread != pass->thread.number)
        add_event(at, SEEN_THREAD, 0)->number = pass->thread.number;
    at->thread = pass->thread.number;
    switch (record->kind) {
    case RECORD_OBJECT:
    case RECORD_ARRAY:
    case RECORD_INITIAL:
    case RECORD_PREEXISTING:
    case RECORD_VM:
        return allocate(at, why);
    case RECORD_ENTRY:
        return enter(at, why);
    case RECORD_EXIT:
        return leave(at, why);
    case RECORD_EXCEPTION_EXIT:
        return leave_by_exception(at, why);
    case RECORD_UPDATE:
        return update(at, why);
    case RECORD_WITNESS:
        return name(at, record->object, why);
    default:
        return name_all(at, why);
    }
}

/* How far ahead of the present record, in records, the records, their ids and last uses are
 * loaded into the processor's cache. */
enum { RECORDS_AHEAD = 32, IDS_AHEAD = 16, USES_AHEAD = 8 };

PREFETCHING void prefetch(const struct objects *objects, const struct batch *batch, size_t i)
{
    const struct record *record = &batch->records[i];
    if (i + RECORDS_AHEAD >= batch->count)
        return;
    __builtin_prefetch(record + RECORDS_AHEAD);
    objects_prefetch_id(objects, record[IDS_AHEAD].object);
    if (record[IDS_AHEAD].kind == RECORD_UPDATE)
        objects_prefetch_id(objects, record[IDS_AHEAD].value);
    objects_prefetch_use(objects, record[USES_AHEAD].object);
    if (record[USES_AHEAD].kind == RECORD_UPDATE)
        objects_prefetch_use(objects, record[USES_AHEAD].value);
}

EACH_RECORD enum status apply_all(struct pass *pass, const struct batch *batch, size_t first,
                                  size_t end, struct seen_events *events, struct failure *why)
{
    struct applying at = {.pass = pass,
                          .events = events,
                          .index = (uint32_t)first,
                          .end = (uint32_t)end,
                          .thread = NO_THREAD};
    if (events) {
        events->count = events->birth_count = 0;
        TRY(reserve(&at, 0, why));
    }
    for (size_t i = first; i < end; i++) {
        prefetch(pass->heap.objects, batch, i);
        at.record = &batch->records[i];
        at.index = (uint32_t)i;
        pass->counts.records[at.record->kind % RECORD_KINDS]++;
        TRY(apply_record(&at, why));
    }
    return STATUS_OK;
}

/* A function of its own, so that it is compiled without any look at events. */
static __attribute__((noinline)) enum status apply_plainly(struct pass *pass,
                                                           const struct batch *batch,
                                                           size_t first, size_t end,
                                                           struct failure *why)
{
    return apply_all(pass, batch, first, end, NULL, why);
}

enum status apply(struct pass *pass, const struct batch *batch, size_t first, size_t end,
                  struct seen_events *events, struct failure *why)
{
    return events ? apply_all(pass, batch, first, end, events, why)
                  : apply_plainly(pass, batch, first, end, why);
}
