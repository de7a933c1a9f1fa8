/* SPDX-License-Identifier: MIT */
/* The lifetime formats contain nothing of a trace but its allocations, its deaths, and when its
 * threads begin. Unlike other formats they contain the time of each event, so the clock is kept
 * here. */
#include "formats/lifetimes/events.h"

#include "base/bytes.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>

static void advance_clock(struct lifetime_events *events, const struct record *record)
{
    if (record->kind == RECORD_DEATH)
        return;
    if (events->explicit_time)
        events->now = record->time;
    else if (record_is_boundary(record->kind))
        events->now++;
}

/* Records the thread of a record. Sets *is_new to whether it is the first record of the thread.
 */
static enum status meet_thread(struct lifetime_events *events, uint64_t thread, bool *is_new,
                               struct failure *why)
{
    *is_new = false;
    if (events->thread_count > 0 && thread == events->latest)
        return STATUS_OK;
    uint64_t *is_known = map_insert(&events->is_known, thread);
    if (!is_known ||
        !ARRAY_RESERVE(events->threads, events->thread_capacity, events->thread_count + 1))
        return fail_memory(why);
    *is_new = *is_known == 0;
    *is_known = 1;
    if (*is_new)
        events->threads[events->thread_count++] = thread;
    events->latest = thread;
    return STATUS_OK;
}

static enum status check_order(struct lifetime_events *events, const struct record *record,
                               uint64_t time, struct failure *why)
{
    if (time < events->last)
        return fail(why, STATUS_MEANING,
                    "The trace is not in the order of time, as the format of the output must "
                    "be: object %" PRIu64 " has the time %" PRIu64 " after one of %" PRIu64,
                    record->object, time, events->last);
    events->last = time;
    return STATUS_OK;
}

static struct lifetime_event event_of(const struct lifetime_events *events,
                                      const struct record *record)
{
    if (record->kind == RECORD_DEATH)
        return (struct lifetime_event){.kind = EVENT_FREE,
                                       .address = record->object,
                                       .thread = record->death_thread,
                                       .time = events->deaths_by_position ? events->now
                                                                          : record->time};
    return (struct lifetime_event){.kind = EVENT_ALLOC,
                                   .address = record->object,
                                   .thread = events->explicit_time ? 0 : record->thread,
                                   .time = events->now,
                                   .size = record->size,
                                   .type = record->type,
                                   .site = record->site,
                                   .length = record->length};
}

/* Makes the event that creates the thread of the record, if this is its first record. */
static enum status add_thread(struct lifetime_events *events, const struct record *record,
                              lifetime_event_visitor *visit, void *context, struct failure *why)
{
    bool is_new;
    TRY(meet_thread(events, record->thread, &is_new, why));
    if (!is_new)
        return STATUS_OK;
    struct lifetime_event event = {
        .kind = EVENT_CREATE_THREAD, .thread = record->thread, .time = events->now};
    return visit(context, &event, why);
}

enum status events_add(struct lifetime_events *events, const struct record *record,
                       lifetime_event_visitor *visit, void *context, struct failure *why)
{
    advance_clock(events, record);
    if (!events->explicit_time && record->kind != RECORD_DEATH)
        TRY(add_thread(events, record, visit, context, why));
    if (record->kind != RECORD_DEATH && !record_is_allocation(record->kind))
        return STATUS_OK;
    struct lifetime_event event = event_of(events, record);
    TRY(check_order(events, record, event.time, why));
    return visit(context, &event, why);
}

enum status events_end(const struct lifetime_events *events, lifetime_event_visitor *visit,
                       void *context, struct failure *why)
{
    struct lifetime_event event = {.kind = EVENT_DESTROY_THREAD,
                                   .time =
                                       events->now > events->last ? events->now : events->last};
    for (size_t i = 0; i < events->thread_count; i++) {
        event.thread = events->threads[i];
        TRY(visit(context, &event, why));
    }
    return STATUS_OK;
}

void events_free(struct lifetime_events *events)
{
    map_free(&events->is_known);
    free(events->threads);
    events->threads = NULL;
    events->thread_count = events->thread_capacity = 0;
}

struct record event_record(const struct lifetime_event *event)
{
    if (event->kind == EVENT_FREE)
        return (struct record){.kind = RECORD_DEATH,
                               .object = event->address,
                               .death_thread = event->thread,
                               .time = event->time};
    return (struct record){.kind = event->length > 0 ? RECORD_ARRAY : RECORD_OBJECT,
                           .object = event->address,
                           .size = event->size,
                           .type = event->type,
                           .time = event->time,
                           .site = event->site,
                           .length = event->length};
}

unsigned event_data_width(const struct lifetime_event *event)
{
    uint64_t all = event->type | event->site | event->length;
    if (all == 0)
        return 0;
    unsigned width = 1;
    while (width < 8 && all >> 8 * width != 0)
        width *= 2;
    return width;
}

size_t event_data_put(const struct lifetime_event *event, unsigned width, bool little_endian,
                      uint8_t data[EVENT_DATA_MAX])
{
    uint8_t *end = store_number(data, event->type, width, little_endian);
    end = store_number(end, event->site, width, little_endian);
    end = store_number(end, event->length, width, little_endian);
    return (size_t)(end - data);
}

void event_data_get(struct lifetime_event *event, const uint8_t *data, size_t length,
                    bool little_endian)
{
    unsigned width = (unsigned)(length / 3);
    if (length != 3 && length != 6 && length != 12 && length != 24)
        return;
    struct load load = load_from(data, length);
    uint64_t *const fields[] = {&event->type, &event->site, &event->length};
    for (size_t i = 0; i < 3; i++)
        if (!load_number(&load, width, little_endian, fields[i]))
            return;
}
