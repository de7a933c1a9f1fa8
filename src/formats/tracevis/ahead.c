/* SPDX-License-Identifier: MIT */
/* Events wait in a queue, so that later events can complete them. An event that has left the
 * queue can no longer be completed. How long it stays is counted in events, so that it does not
 * depend on how the text is read. */
#include "formats/tracevis/events.h"

#include "base/map.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* What is known about an id. */
enum state {
    STATE_NONE,      /* no event has named it */
    STATE_ALLOCATED, /* by OA; none of its methods has been called yet */
    STATE_CALLED,    /* one of its methods has been called, and there was no OA */
    STATE_KNOWN,     /* nothing more can be learnt about it */
    STATE_FREED
};

enum { STATE_BITS = 3 };

struct ahead {
    struct tracevis_text *text;
    struct map ids;  /* -> serial of the object << STATE_BITS | state */
    uint64_t *begun; /* by serial: the number, from 0, of the event that begins the object */
    size_t begun_capacity;
    uint64_t serials; /* given so far */
    struct object_counts counts;

    struct tv_event *queue;
    size_t capacity;
    size_t begin, end;  /* the part of the queue that has events */
    uint64_t first;     /* the number of the event at `begin` */
    enum status status; /* why no more events are read; STATUS_OK: more are read */
    struct failure failure;
};

enum status ahead_open(struct ahead **out, struct tracevis_text *text, struct failure *why)
{
    struct ahead *ahead = calloc(1, sizeof *ahead);
    if (!ahead)
        return fail_memory(why);
    ahead->text = text;
    *out = ahead;
    return STATUS_OK;
}

void ahead_rewind(struct ahead *ahead)
{
    tracevis_text_rewind(ahead->text);
    map_free(&ahead->ids);
    failure_clear(&ahead->failure);
    ahead->serials = 0;
    ahead->counts = (struct object_counts){.repeated = 0};
    ahead->begin = ahead->end = 0;
    ahead->first = 0;
    ahead->status = STATUS_OK;
}

void ahead_close(struct ahead *ahead)
{
    if (!ahead)
        return;
    map_free(&ahead->ids);
    failure_clear(&ahead->failure);
    free(ahead->begun);
    free(ahead->queue);
    free(ahead);
}

const struct object_counts *ahead_counts(const struct ahead *ahead)
{
    return &ahead->counts;
}

/* The event that begins the object, if it is still in the queue; else NULL. */
static struct tv_event *find_beginning(struct ahead *ahead, uint64_t serial)
{
    uint64_t number = ahead->begun[serial];
    return number < ahead->first ? NULL : &ahead->queue[ahead->begin + (number - ahead->first)];
}

/* Makes `event`, which is about to become the last of the queue, begin an object. */
static enum status begin_object(struct ahead *ahead, struct tv_event *event,
                                struct failure *why)
{
    if (!ARRAY_RESERVE(ahead->begun, ahead->begun_capacity, ahead->serials + 2))
        return fail_memory(why);
    event->renews = event->serial > 0;
    event->serial = ++ahead->serials;
    event->begins = true;
    ahead->begun[event->serial] = ahead->first + (ahead->end - ahead->begin);
    return STATUS_OK;
}

/* Handles an OA. If methods of the object were called before, it only shows the class. */
static enum status tv_ahead_allocate(struct ahead *ahead, struct tv_event *event,
                                     enum state *state, struct failure *why)
{
    if (*state == STATE_CALLED) {
        struct tv_event *call = find_beginning(ahead, event->serial);
        if (call)
            call->type = event->type;
        ahead->counts.unallocated--;
        *state = STATE_KNOWN;
        return STATUS_OK;
    }
    ahead->counts.repeated += *state == STATE_ALLOCATED || *state == STATE_KNOWN;
    *state = STATE_ALLOCATED;
    return begin_object(ahead, event, why);
}

/* Handles an MN with a receiver. The first one after OA shows the thread that allocated. */
static enum status tv_ahead_call(struct ahead *ahead, struct tv_event *event, enum state *state,
                                 struct failure *why)
{
    if (*state == STATE_KNOWN || *state == STATE_CALLED)
        return STATUS_OK;
    if (*state == STATE_ALLOCATED) {
        struct tv_event *allocation = find_beginning(ahead, event->serial);
        if (allocation) {
            allocation->thread = event->thread;
            allocation->has_thread = true;
        }
        *state = STATE_KNOWN;
        return STATUS_OK;
    }
    ahead->counts.unallocated++;
    ahead->counts.used_freed += *state == STATE_FREED;
    *state = STATE_CALLED;
    return begin_object(ahead, event, why);
}

/* Handles an OF. */
static void tv_ahead_set_free(struct ahead *ahead, struct tv_event *event, enum state *state)
{
    bool is_there = *state != STATE_NONE && *state != STATE_FREED;
    ahead->counts.unknown_free += !is_there;
    event->frees = is_there;
    if (is_there)
        *state = STATE_FREED;
}

/* Finds out which object the event is about, which is about to become the last of the queue. */
static enum status identify(struct ahead *ahead, struct tv_event *event, struct failure *why)
{
    if (event->object == 0)
        return STATUS_OK;
    uint64_t *known = map_insert(&ahead->ids, event->object);
    if (!known)
        return fail_memory(why);
    enum state state = (enum state)(*known & ((1U << STATE_BITS) - 1));
    event->serial = *known >> STATE_BITS;
    enum status status = STATUS_OK;
    if (event->kind == EVENT_ALLOCATED)
        status = tv_ahead_allocate(ahead, event, &state, why);
    else if (event->kind == EVENT_ENTERED)
        status = tv_ahead_call(ahead, event, &state, why);
    else
        tv_ahead_set_free(ahead, event, &state);
    *known = event->serial << STATE_BITS | state;
    return status;
}

/* Makes room for one more event. */
static enum status make_room(struct ahead *ahead, struct failure *why)
{
    if (ahead->end < ahead->capacity)
        return STATUS_OK;
    size_t count = ahead->end - ahead->begin;
    if (ahead->begin > count) {
        memcpy(ahead->queue, ahead->queue + ahead->begin, count * sizeof *ahead->queue);
        ahead->begin = 0;
        ahead->end = count;
        return STATUS_OK;
    }
    return ARRAY_RESERVE(ahead->queue, ahead->capacity, ahead->end + 1) ? STATUS_OK
                                                                        : fail_memory(why);
}

/* Reads one event into the queue. */
static enum status read_event(struct ahead *ahead, struct failure *why)
{
    TRY(make_room(ahead, why));
    struct tv_event *event = &ahead->queue[ahead->end];
    TRY(tracevis_text_next(ahead->text, event, why));
    TRY(identify(ahead, event, why));
    ahead->end++;
    return STATUS_OK;
}

enum status ahead_next(struct ahead *ahead, const struct tv_event **event, struct failure *why)
{
    while (ahead->status == STATUS_OK && ahead->end - ahead->begin <= EVENTS_AHEAD)
        ahead->status = read_event(ahead, &ahead->failure);
    if (ahead->begin < ahead->end) {
        *event = &ahead->queue[ahead->begin++];
        ahead->first++;
        return STATUS_OK;
    }
    if (ahead->status != STATUS_END)
        failure_move(why, &ahead->failure);
    return ahead->status;
}
