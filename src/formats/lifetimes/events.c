/* SPDX-License-Identifier: MIT */
/* The lifetime formats contain nothing of a trace but its allocations, its deaths, and when its
 * threads begin. Unlike other formats they contain the time of each event, so the clock is kept
 * here.
 *
 * Records are decoded with more bytes in view than any of them has, so a decoder that finds too
 * few knows that the file ends within the record. */
#include "formats/lifetimes/events.h"

#include "base/bytes.h"
#include "base/memory.h"
#include "trace/reader_class.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void advance_clock(struct lifetime_events *events, const struct record *record)
{
    if (record->kind == RECORD_DEATH)
        return;
    if (events->explicit_time)
        events->now = record->time;
    else if (record_is_boundary(record->kind))
        events->now++;
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
    if (events->thread_count > 0 && record->thread == events->latest)
        return STATUS_OK;
    events->latest = record->thread;
    uint64_t *is_known = map_insert(&events->is_known, record->thread);
    if (!is_known ||
        !ARRAY_RESERVE(events->threads, events->thread_capacity, events->thread_count + 1))
        return fail_memory(why);
    if (*is_known)
        return STATUS_OK;
    *is_known = 1;
    events->threads[events->thread_count++] = record->thread;
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

/* The record of an alloc (of an array, if it has a length) or of a free, in a trace with
 * explicit times. */
static struct record event_record(const struct lifetime_event *event)
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

enum { BATCH_RECORDS = 4096 };

static const char unfinished[] = "its compressed data end too early";

static const struct remark no_remarks[EVENT_REMARKS] = {
    [REMARK_ALLOCATED_ALIVE] =
        {.text = "Allocations at an address whose object has not been freed"},
    [REMARK_FREED_DEAD] = {.text = "Frees of an address where no object is"},
    [REMARK_BACKWARD] = {.text = "Events with an earlier time than one before them"},
};

static struct event_reader *from_base(struct reader *reader)
{
    return (struct event_reader *)reader;
}

enum status event_reader_begin(struct event_reader *reader, const struct reader_class *methods,
                               const struct lifetime_format *format, struct source *source,
                               const struct reader_options *options, struct failure *why)
{
    reader->base =
        (struct reader){.methods = methods, .name = source_name(source), .explicit_time = true};
    reader->format = format;
    reader->window.source = source;
    reader->any_order = options->lenient || options->keep_others;
    reader->digest = XXH3_createState();
    if (!reader->digest) {
        event_reader_close(&reader->base);
        return fail_memory(why);
    }
    event_reader_rewind(&reader->base);
    return STATUS_OK;
}

void event_reader_rewind(struct reader *base)
{
    struct event_reader *reader = from_base(base);
    window_rewind(&reader->window);
    XXH3_64bits_reset(reader->digest);
    reader->last_time = 0;
    map_free(&reader->is_alive);
    memcpy(reader->remarks, no_remarks, sizeof no_remarks);
    if (reader->guess)
        reader->remarks[REMARK_GUESS] =
            (struct remark){.text = reader->guess, .count = 1, .once = true};
    reader->format->begin(reader);
}

uint64_t event_reader_digest(const struct reader *reader)
{
    return XXH3_64bits_digest(((const struct event_reader *)reader)->digest);
}

const struct remark *event_reader_remarks(const struct reader *reader, size_t *count)
{
    *count = EVENT_REMARKS;
    return ((const struct event_reader *)reader)->remarks;
}

void event_reader_close(struct reader *base)
{
    struct event_reader *reader = from_base(base);
    XXH3_freeState(reader->digest);
    window_free(&reader->window);
    map_free(&reader->is_alive);
    free(reader);
}

/* Counts events that no correct program makes, though a trace may lack some of the events
 * before them. */
static enum status notice(struct event_reader *reader, const struct lifetime_event *event,
                          struct failure *why)
{
    uint64_t *is_alive = map_insert(&reader->is_alive, event->address);
    if (!is_alive)
        return fail_memory(why);
    bool is_alloc = event->kind == EVENT_ALLOC;
    if (is_alloc == (*is_alive == 1))
        reader->remarks[is_alloc ? REMARK_ALLOCATED_ALIVE : REMARK_FREED_DEAD].count++;
    *is_alive = is_alloc;
    return STATUS_OK;
}

/* Makes a record of an event. Events with address 0 have none: the allocation failed, or the
 * free does nothing. */
static enum status add_event(struct event_reader *reader, struct batch *batch,
                             const struct decoded *decoded, struct failure *why)
{
    const struct lifetime_event *event = &decoded->event;
    if (event->address == 0)
        return STATUS_OK;
    if (event->time < reader->last_time && !reader->any_order)
        return fail_at_offset(why, STATUS_SYNTAX, reader->base.name, decoded->offset,
                              "The time goes backwards, from %" PRIu64 " to %" PRIu64 "%s",
                              reader->last_time, event->time,
                              reader->advice ? reader->advice : "");
    if (event->time < reader->last_time)
        reader->remarks[REMARK_BACKWARD].count++;
    else
        reader->last_time = event->time;
    batch->records[batch->count++] = event_record(event);
    return notice(reader, event, why);
}

static enum status add_record(struct event_reader *reader, struct batch *batch,
                              struct load *load, uint64_t offset, struct failure *why)
{
    struct decoded decoded = {.offset = offset};
    enum status status = reader->format->decode(reader, load, &decoded, why);
    if (status != STATUS_OK && decoded.is_cut_off && source_is_cut(reader->window.source)) {
        failure_clear(why);
        load->at = load->end;
        return STATUS_OK;
    }
    if (status != STATUS_OK)
        return status;
    batch->comments += decoded.is_comment;
    return decoded.is_event ? add_event(reader, batch, &decoded, why) : STATUS_OK;
}

/* Decodes records until the batch is full, or too few bytes are in view for another record. */
static enum status add_records(struct event_reader *reader, struct batch *batch,
                               struct load *load, struct failure *why)
{
    const uint8_t *begin = load->at;
    uint64_t offset = reader->window.offset;
    enum status status = STATUS_OK;
    while (status == STATUS_OK && batch->count < BATCH_RECORDS && load_left(load) > 0 &&
           (load_left(load) >= reader->format->longest || reader->window.at_end))
        status = add_record(reader, batch, load, offset + (size_t)(load->at - begin), why);
    XXH3_64bits_update(reader->digest, begin, (size_t)(load->at - begin));
    window_take(&reader->window, load);
    return status;
}

/* Handles the end of the file. Compressed data that end too early may end anywhere. */
static enum status end_events(struct event_reader *reader, struct failure *why)
{
    if (source_is_cut(reader->window.source)) {
        reader->base.unfinished = unfinished;
        reader->remarks[REMARK_UNFINISHED] = (struct remark){
            .text = "The trace is unfinished: its compressed data end too early",
            .count = 1,
            .once = true};
        return STATUS_END;
    }
    if (reader->format->end)
        TRY(reader->format->end(reader, reader->window.offset, why));
    return STATUS_END;
}

enum status event_reader_next(struct reader *base, struct batch *batch, struct failure *why)
{
    struct event_reader *reader = from_base(base);
    struct load load;
    batch->first_line = 0;
    TRY(batch_reserve(batch, BATCH_RECORDS, 0, why));
    while (batch->count == 0) {
        TRY(window_fill(&reader->window, reader->format->longest, &load, why));
        if (load_left(&load) == 0)
            return end_events(reader, why);
        TRY(add_records(reader, batch, &load, why));
    }
    return STATUS_OK;
}
