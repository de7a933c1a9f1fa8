/* SPDX-License-Identifier: MIT */
/* Files of HATF. They have no header, so a reader can only check records, and only files that
 * begin as this program writes them are recognised by their content.
 *
 * The plain form has one setting for each field, and widens it when a number does not fit. The
 * compact form gathers events, plans the settings of each field for all of them together, and
 * then writes them. */
#include "formats/lifetimes/hatf.h"
#include "formats/classes.h"
#include "formats/lifetimes/events.h"
#include "trace/reader_class.h"
#include "trace/writer.h"

#include <stdlib.h>
#include <string.h>

struct hatf_reader {
    struct event_reader base;
    bool little_endian;
    struct hatf_state state;
    bool has_times; /* there were metadata about time fields */
    uint64_t events;
};

static struct hatf_reader *reader_from_base(struct event_reader *reader)
{
    return (struct hatf_reader *)reader;
}

/* The files of this program's writer begin with metadata that set the width of addresses to 8
 * bytes and the interpretation of threads to none. */
static int hatf_bid(const char *head, size_t length)
{
    static const char begin[] = "\x0b\x01\x01\x08\x0b\x02\x03\x00\x0b\x01\x03\x04";
    return length >= sizeof begin - 1 && memcmp(head, begin, sizeof begin - 1) == 0 ? 50 : 0;
}

static void hatf_reader_begin(struct event_reader *reader)
{
    struct hatf_reader *hatf = reader_from_base(reader);
    hatf_state_init(&hatf->state, hatf->little_endian);
    hatf->has_times = false;
    hatf->events = 0;
}

/* Fails because the record at `offset` could not be decoded. */
static enum status hatf_reader_reject(const struct event_reader *reader, uint64_t offset,
                                      enum hatf_result result, const struct hatf_record *record,
                                      struct failure *why)
{
    const struct hatf_metadata *metadata = &record->metadata;
    const char *name = reader->base.name, *advice = reader->advice ? reader->advice : "";
    if (result == HATF_NO_SUCH_TAG)
        return fail_at_offset(why, STATUS_SYNTAX, name, offset,
                              "There is no record with the tag %u: tags are 0 to %u%s",
                              record->tag, HATF_METADATA, advice);
    if (result == HATF_NO_SUCH_SETTING)
        return fail_at_offset(
            why, STATUS_SYNTAX, name, offset,
            "Metadata set what HATF does not have: operation %u, field %u, value %u",
            metadata->operation, metadata->field, metadata->code);
    return fail_at_offset(why, STATUS_SYNTAX, name, offset,
                          "The file ends within a record, of the tag %u%s", record->tag,
                          advice);
}

static void read_event(struct hatf_reader *hatf, const struct hatf_record *record,
                       struct lifetime_event *event)
{
    hatf->events++;
    *event = (struct lifetime_event){
        .kind = record->tag == HATF_ALLOC ? EVENT_ALLOC : EVENT_FREE,
        .address = record->numbers[HATF_ADDRESS],
        .thread = record->numbers[HATF_THREAD],
        .time = hatf->has_times ? record->numbers[HATF_TIME] : hatf->events,
        .size = record->numbers[HATF_SIZE]};
    event_data_get(event, record->data, record->data_length, hatf->little_endian);
}

static enum status hatf_reader_decode(struct event_reader *reader, struct load *load,
                                      struct decoded *decoded, struct failure *why)
{
    struct hatf_reader *hatf = reader_from_base(reader);
    struct hatf_record record;
    enum hatf_result result = hatf_decode(&hatf->state, load, &record);
    decoded->is_cut_off = result == HATF_CUT_OFF;
    if (result != HATF_OK)
        return hatf_reader_reject(reader, decoded->offset, result, &record, why);
    if (record.tag == HATF_METADATA && record.metadata.field == HATF_TIME)
        hatf->has_times = true;
    decoded->is_comment = record.tag == HATF_COMMENT;
    decoded->is_event = record.tag == HATF_ALLOC || record.tag == HATF_FREE;
    if (decoded->is_event)
        read_event(hatf, &record, &decoded->event);
    return STATUS_OK;
}

static const struct lifetime_format format = {
    .longest = HATF_LONGEST, .begin = hatf_reader_begin, .decode = hatf_reader_decode};

/* If no setting shows the byte order, the first events may. After the settings come the first
 * threads and allocations, whose times are small, because the clock has just started; in the
 * wrong order they are enormous. If all times are 0, addresses decide, or else sizes, or the
 * numbers of threads. */

enum { EVENTS_LOOKED_AT = 64, ORDER_HEAD = 4096 };

/* Sets largest[] to the largest numbers of the first events, read in one byte order. False:
 * there is a record that cannot be one. */
static bool read_first(const uint8_t *head, size_t length, bool little_endian,
                       uint64_t largest[static HATF_ATTRIBUTES])
{
    struct hatf_state state;
    struct load load = load_from(head, length);
    struct hatf_record record;
    hatf_state_init(&state, little_endian);
    for (unsigned events = 0; events < EVENTS_LOOKED_AT && load_left(&load) > 0;) {
        enum hatf_result result = hatf_decode(&state, &load, &record);
        if (result != HATF_OK)
            return result == HATF_CUT_OFF;
        if (record.tag == HATF_METADATA || record.tag == HATF_COMMENT)
            continue;
        events++;
        for (unsigned field = 0; field < HATF_ATTRIBUTES; field++)
            if (record.numbers[field] > largest[field])
                largest[field] = record.numbers[field];
    }
    return true;
}

/* Numbers in programs are below this. Others have been read in the wrong order, or mean
 * nothing. */
static const uint64_t plausible = UINT64_C(1) << 53;

/* Whether the numbers show the byte order: they differ, and at least one is plausible. */
static bool decides(uint64_t big, uint64_t little)
{
    return big != little && (big < plausible || little < plausible);
}

/* Whether the file that begins with the bytes at `head` says its byte order, as those of this
 * program's writer do. The format has no field for it, but the writer sets the default of times
 * to 1, before it sets that they have none, and the bytes of that 1 show the order. Sets
 * *little_endian to it. */
static bool read_byte_order(const uint8_t *head, size_t length, bool *little_endian)
{
    /* Metadata records of 4 bytes each, the last without its argument. */
    static const uint8_t before[] = {
        HATF_METADATA, HATF_SET_WIDTH,          HATF_ADDRESS, 8,
        HATF_METADATA, HATF_SET_INTERPRETATION, HATF_THREAD,  HATF_NONE,
        HATF_METADATA, HATF_SET_WIDTH,          HATF_THREAD,  4,
        HATF_METADATA, HATF_SET_INTERPRETATION, HATF_TIME,    HATF_DEFAULT};
    uint64_t big = 0, little = 0;
    if (length < sizeof before || memcmp(head, before, sizeof before) != 0)
        return false;
    struct load load = load_from(head + sizeof before, length - sizeof before), again = load;
    if (!load_big(&load, 8, &big) || !load_little(&again, 8, &little) ||
        (big != 1 && little != 1))
        return false;
    *little_endian = little == 1;
    return true;
}

/* Whether the first events of the file that begins with the bytes at `head` suggest a byte
 * order. Sets *little_endian to it. */
static bool guess_byte_order(const uint8_t *head, size_t length, bool *little_endian)
{
    static const enum hatf_field deciding[] = {HATF_TIME, HATF_ADDRESS, HATF_SIZE, HATF_THREAD};
    uint64_t big[HATF_ATTRIBUTES] = {0}, little[HATF_ATTRIBUTES] = {0};
    bool is_big = read_first(head, length, false, big);
    bool is_little = read_first(head, length, true, little);
    if (is_big != is_little) {
        *little_endian = is_little;
        return true;
    }
    for (size_t i = 0; i < sizeof deciding / sizeof *deciding; i++) {
        uint64_t as_big = big[deciding[i]], as_little = little[deciding[i]];
        if (decides(as_big, as_little)) {
            *little_endian = as_little < as_big;
            return true;
        }
    }
    return false;
}

/* Remarks about files that do not say their byte order, read as big-endian and as
 * little-endian. */
static const char *const guesses[] = {
    "The file does not say its byte order and is read as big-endian; --hatf-endian=little "
    "reads it as little-endian, --hatf-endian=big ends this note",
    "The file does not say its byte order and looks little-endian; --hatf-endian=big reads it "
    "as big-endian, --hatf-endian=little ends this note"};

/* Chooses the byte order: that which the file says, or the user, or, if the file begins as this
 * program's writer does, that which its events suggest. Otherwise it is big-endian, and
 * messages say how to read the file as little-endian. */
static enum status choose_byte_order(struct hatf_reader *hatf, struct source *source,
                                     enum byte_order wanted, struct failure *why)
{
    uint8_t head[ORDER_HEAD];
    size_t length;
    enum status status = source_read_head(source, head, sizeof head, &length, why);
    hatf->little_endian = wanted == BYTE_ORDER_LITTLE;
    if (status != STATUS_OK || read_byte_order(head, length, &hatf->little_endian) ||
        wanted != BYTE_ORDER_AUTO)
        return status;
    bool is_shown = hatf_bid((const char *)head, length) > 0 &&
                    guess_byte_order(head, length, &hatf->little_endian);
    hatf->base.guess = hatf->little_endian ? guesses[1] : guesses[0];
    if (!is_shown)
        hatf->base.advice = "; a little-endian file needs --hatf-endian=little";
    return status;
}

static enum status hatf_reader_open(struct reader **out, struct source *source,
                                    const struct reader_options *options, struct failure *why)
{
    struct hatf_reader *hatf = calloc(1, sizeof *hatf);
    if (!hatf)
        return fail_memory(why);
    enum status status = choose_byte_order(hatf, source, options->byte_order, why);
    if (status != STATUS_OK) {
        free(hatf);
        return status;
    }
    status = event_reader_begin(&hatf->base, &hatf_reader_class, &format, source, options, why);
    if (status == STATUS_OK)
        *out = &hatf->base.base;
    return status;
}

const struct reader_class hatf_reader_class = {
    .name = "hatf",
    .title = "HATF",
    .takes = TAKES_BYTE_ORDER,
    .holds_lifetimes = true,
    .bid = hatf_bid,
    .open = hatf_reader_open,
    .next = event_reader_next,
    .rewind = event_reader_rewind,
    .digest = event_reader_digest,
    .close = event_reader_close,
    .remarks = event_reader_remarks,
};

/* The settings at the start, those of the plain form: numbers of 4 or 8 bytes, and attributes
 * with their length. The default of times, which no field uses, is there for its byte order
 * (read_byte_order). */
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

static struct hatf_writer *writer_from_base(struct writer *writer)
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
    for (size_t i = 0; i < gathering->count; i++)
        TRY(write_compact(hatf, &gathering->events[i], why));
    gathering->count = 0;
    return STATUS_OK;
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
    struct hatf_writer *hatf = writer_from_base(writer);
    return events_add(&hatf->events, record, put_event, hatf, why);
}

static enum status hatf_finish(struct writer *writer, struct failure *why)
{
    struct hatf_writer *hatf = writer_from_base(writer);
    TRY(events_end(&hatf->events, put_event, hatf, why));
    return hatf->gathering ? write_gathered(hatf, why) : STATUS_OK;
}

static void hatf_close(struct writer *writer)
{
    struct hatf_writer *hatf = writer_from_base(writer);
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
