/* SPDX-License-Identifier: MIT */
/* The plain form has one setting for each field, and widens it when a number does not fit. The
 * compact form gathers events, plans the settings of each field for all of them together, and
 * then writes them. */
#include "formats/lifetimes/events.h"
#include "formats/lifetimes/hatf.h"
#include "formats/lifetimes/lifetimes.h"
#include "trace/writer.h"

#include <stdlib.h>

/* The settings at the start, those of the plain form: numbers of 4 or 8 bytes, and attributes
 * with their length. The default of times, which no field uses, is there for its byte order
 * (hatf_reader.c). */
static const struct hatf_metadata prologue[] = {
    {HATF_SET_WIDTH, HATF_ADDRESS, 8, {0, 0}},
    {HATF_SET_INTERPRETATION, HATF_THREAD, HATF_NONE, {0, 0}},
    {HATF_SET_WIDTH, HATF_THREAD, 4, {0, 0}},
    {HATF_SET_INTERPRETATION, HATF_TIME, HATF_DEFAULT, {1, 0}},
    {HATF_SET_INTERPRETATION, HATF_TIME, HATF_NONE, {0, 0}},
    {HATF_SET_WIDTH, HATF_TIME, 8, {0, 0}},
    {HATF_SET_INTERPRETATION, HATF_ATTRIBUTES, HATF_NONE, {0, 0}},
    {HATF_SET_WIDTH, HATF_ATTRIBUTES, HATF_V1, {0, 0}},
};

/* Events that are planned together, and the columns of their fields. */
struct gathering {
    size_t count;
    struct lifetime_event events[HATF_PLAN_MAX];
    struct hatf_column columns[HATF_FIELDS];
    struct hatf_step steps[HATF_FIELDS][HATF_PLAN_MAX];
    size_t done[HATF_FIELDS]; /* how many fields have been written */
    struct hatf_planner *planner;
};

struct hatf_writer {
    struct writer base;
    struct sink *sink;
    struct lifetime_events events;
    struct hatf_state state;
    uint8_t plain_widths[HATF_FIELDS]; /* that the plain form has reached */
    struct gathering *gathering;       /* NULL: plain form */
    uint8_t out[HATF_LONGEST];
};

static struct hatf_writer *from_base(struct writer *writer)
{
    return (struct hatf_writer *)writer;
}

static enum status write_record(struct hatf_writer *hatf, const struct hatf_record *record,
                                struct failure *why)
{
    size_t length = hatf_encode(&hatf->state, record, hatf->out);
    return sink_write(hatf->sink, hatf->out, length, why);
}

static enum status write_metadata(struct hatf_writer *hatf, struct hatf_metadata metadata,
                                  struct failure *why)
{
    struct hatf_record record = {.tag = HATF_METADATA, .metadata = metadata};
    return write_record(hatf, &record, why);
}

static enum status write_prologue(struct hatf_writer *hatf, struct failure *why)
{
    for (size_t i = 0; i < sizeof prologue / sizeof *prologue; i++)
        TRY(write_metadata(hatf, prologue[i], why));
    for (unsigned field = 0; field < HATF_FIELDS; field++)
        hatf->plain_widths[field] = hatf->state.fields[field].width;
    return STATUS_OK;
}

static bool has_field(const struct lifetime_event *event, unsigned field)
{
    if (field == HATF_SIZE)
        return event->kind == EVENT_ALLOC;
    if (field == HATF_ADDRESS)
        return event->kind == EVENT_ALLOC || event->kind == EVENT_FREE;
    return field != HATF_HEAP;
}

/* The width of the numbers in an event's attributes; 0: it has no attributes. */
static unsigned data_width(const struct hatf_writer *hatf, const struct lifetime_event *event)
{
    if (event->kind != EVENT_ALLOC)
        return 0;
    unsigned width = event_data_width(event);
    return hatf->gathering || width > 4 ? width : 4;
}

/* The record of an event, but for its attributes, of which only the length is set. Events have
 * no heap: it is always absent. */
static struct hatf_record record_of(const struct hatf_writer *hatf,
                                    const struct lifetime_event *event)
{
    static const uint8_t tags[] = {[EVENT_ALLOC] = HATF_ALLOC,
                                   [EVENT_FREE] = HATF_FREE,
                                   [EVENT_CREATE_THREAD] = HATF_CREATE_THREAD,
                                   [EVENT_DESTROY_THREAD] = HATF_DESTROY_THREAD};
    return (struct hatf_record){.tag = tags[event->kind],
                                .numbers = {[HATF_SIZE] = event->size,
                                            [HATF_ADDRESS] = event->address,
                                            [HATF_TIME] = event->time,
                                            [HATF_THREAD] = event->thread},
                                .data_length = 3 * (size_t)data_width(hatf, event)};
}

static enum status write_event(struct hatf_writer *hatf, const struct lifetime_event *event,
                               struct failure *why)
{
    uint8_t data[EVENT_DATA_MAX];
    struct hatf_record record = record_of(hatf, event);
    record.data = data;
    event_data_put(event, data_width(hatf, event), hatf->state.little_endian, data);
    return write_record(hatf, &record, why);
}

/* Widens a field of the plain form, from 4 to 8 bytes, in which the record of an event does not
 * fit. Returns the field; HATF_FIELDS: it fits. */
static unsigned widen(struct hatf_writer *hatf, const struct hatf_record *record)
{
    for (unsigned field = 0; field < HATF_HEAP; field++)
        if (hatf->plain_widths[field] == 4 && record->numbers[field] > UINT32_MAX) {
            hatf->plain_widths[field] = 8;
            return field;
        }
    return HATF_FIELDS;
}

static enum status write_plain(struct hatf_writer *hatf, const struct lifetime_event *event,
                               struct failure *why)
{
    const struct hatf_record record = record_of(hatf, event);
    unsigned field;
    while ((field = widen(hatf, &record)) < HATF_FIELDS)
        TRY(write_metadata(
            hatf, (struct hatf_metadata){HATF_SET_WIDTH, (uint8_t)field, 8, {0, 0}}, why));
    return write_event(hatf, event, why);
}

/* Writes the metadata of a step. */
static enum status take_step(struct hatf_writer *hatf, uint8_t field,
                             const struct hatf_step *step, struct failure *why)
{
    const struct hatf_metadata enter = {
        HATF_SET_INTERPRETATION, field, step->interpretation, {step->argument, step->stride}};
    bool is_absent =
        step->interpretation == HATF_DEFAULT || step->interpretation == HATF_STRIDE;
    if (step->change == HATF_ENTER)
        TRY(write_metadata(hatf, enter, why));
    if (step->change == HATF_STAY || is_absent)
        return STATUS_OK;
    return write_metadata(
        hatf, (struct hatf_metadata){HATF_SET_WIDTH, field, step->width, {0, 0}}, why);
}

static enum status write_compact(struct hatf_writer *hatf, const struct lifetime_event *event,
                                 struct failure *why)
{
    struct gathering *gathering = hatf->gathering;
    for (unsigned field = 0; field < HATF_FIELDS; field++)
        if (has_field(event, field))
            TRY(take_step(hatf, (uint8_t)field,
                          &gathering->steps[field][gathering->done[field]++], why));
    return write_event(hatf, event, why);
}

/* Plans and writes the events that have been gathered. */
static enum status write_gathered(struct hatf_writer *hatf, struct failure *why)
{
    struct gathering *gathering = hatf->gathering;
    for (unsigned field = 0; field < HATF_FIELDS; field++) {
        hatf_plan(gathering->planner, (enum hatf_field)field, &hatf->state.fields[field],
                  hatf->plain_widths[field], &gathering->columns[field],
                  gathering->steps[field]);
        gathering->columns[field].count = gathering->done[field] = 0;
    }
    enum status status = STATUS_OK;
    for (size_t i = 0; i < gathering->count && status == STATUS_OK; i++)
        status = write_compact(hatf, &gathering->events[i], why);
    gathering->count = 0;
    return status;
}

static enum status gather(struct hatf_writer *hatf, const struct lifetime_event *event,
                          struct failure *why)
{
    struct gathering *gathering = hatf->gathering;
    const struct hatf_record record = record_of(hatf, event);
    while (widen(hatf, &record) < HATF_FIELDS)
        continue;
    for (unsigned field = 0; field < HATF_FIELDS; field++) {
        struct hatf_column *column = &gathering->columns[field];
        if (has_field(event, field))
            column->values[column->count++] =
                field == HATF_ATTRIBUTES ? record.data_length : record.numbers[field];
    }
    gathering->events[gathering->count++] = *event;
    return gathering->count == HATF_PLAN_MAX ? write_gathered(hatf, why) : STATUS_OK;
}

/* A lifetime_event_visitor. */
static enum status put_event(void *context, const struct lifetime_event *event,
                             struct failure *why)
{
    struct hatf_writer *hatf = context;
    return hatf->gathering ? gather(hatf, event, why) : write_plain(hatf, event, why);
}

static enum status hatf_record(struct writer *writer, const struct record *record,
                               struct failure *why)
{
    struct hatf_writer *hatf = from_base(writer);
    return events_add(&hatf->events, record, put_event, hatf, why);
}

static enum status hatf_finish(struct writer *writer, struct failure *why)
{
    struct hatf_writer *hatf = from_base(writer);
    enum status status = events_end(&hatf->events, put_event, hatf, why);
    return status == STATUS_OK && hatf->gathering ? write_gathered(hatf, why) : status;
}

static void hatf_close(struct writer *writer)
{
    struct hatf_writer *hatf = from_base(writer);
    if (hatf->gathering)
        free(hatf->gathering->planner);
    free(hatf->gathering);
    events_free(&hatf->events);
    free(hatf);
}

static enum status open_gathering(struct hatf_writer *hatf, struct failure *why)
{
    hatf->gathering = calloc(1, sizeof *hatf->gathering);
    if (hatf->gathering)
        hatf->gathering->planner = hatf_planner_new();
    if (!hatf->gathering || !hatf->gathering->planner)
        return fail_memory(why);
    return STATUS_OK;
}

static enum status hatf_writer_open(struct writer **out, struct sink *sink,
                                    const struct writer_options *options, struct failure *why)
{
    struct hatf_writer *hatf = calloc(1, sizeof *hatf);
    if (!hatf)
        return fail_memory(why);
    hatf->base.methods = &hatf_writer_class;
    hatf->sink = sink;
    hatf->events.explicit_time = options->explicit_time;
    hatf->events.deaths_by_position = options->deaths_by_position;
    hatf_state_init(&hatf->state, options->little_endian);
    enum status status = options->compact ? open_gathering(hatf, why) : STATUS_OK;
    if (status == STATUS_OK)
        status = write_prologue(hatf, why);
    if (status != STATUS_OK) {
        hatf_close(&hatf->base);
        return status;
    }
    *out = &hatf->base;
    return STATUS_OK;
}

const struct writer_class hatf_writer_class = {
    .name = "hatf",
    .reader = &hatf_reader_class,
    .can_be_compact = true,
    .writes_lives = true,
    .open = hatf_writer_open,
    .record = hatf_record,
    .finish = hatf_finish,
    .close = hatf_close,
};
