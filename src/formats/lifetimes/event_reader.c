/* SPDX-License-Identifier: MIT */
/* Records are decoded with more bytes in view than any of them has, so a decoder that finds too
 * few knows that the file ends within the record. */
#include "formats/lifetimes/events.h"
#include "trace/reader_class.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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
    enum status status = batch_reserve(batch, BATCH_RECORDS, 0, why);
    while (status == STATUS_OK && batch->count == 0) {
        status = window_fill(&reader->window, reader->format->longest, &load, why);
        if (status == STATUS_OK && load_left(&load) == 0)
            return end_events(reader, why);
        if (status == STATUS_OK)
            status = add_records(reader, batch, &load, why);
    }
    return status;
}
