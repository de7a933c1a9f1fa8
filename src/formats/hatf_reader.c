/* A file of HATF has no header, so nothing but its records can be checked. Each is decoded with
 * more bytes in view than any record has. */
#include "formats/hatf_reader.h"

#include "formats/events.h"
#include "formats/hatf_codec.h"
#include "io/window.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { BATCH_RECORDS = 4096 };

struct hatf_reader {
    struct reader base;
    struct window window;
    XXH3_state_t *digest;
    bool little_endian;
    bool any_order; /* time may go backwards */
    struct hatf_state state;
    bool has_times; /* the file has said something of the time */
    uint64_t events;
    uint64_t last_time;
    const struct boundary_filter *filter;
    struct failure failure; /* at the record behind the batch before; STATUS_OK: none */
};

static struct hatf_reader *from_base(struct reader *reader)
{
    return (struct hatf_reader *)reader;
}

/* What our writer's files begin with: metadata that make addresses 8 bytes and threads none. */
static int hatf_bid(const char *head, size_t length)
{
    static const char begin[] = "\x0b\x01\x01\x08\x0b\x02\x03\x00\x0b\x01\x03\x04";
    return length >= sizeof begin - 1 && memcmp(head, begin, sizeof begin - 1) == 0 ? 50 : 0;
}

static void hatf_rewind(struct reader *reader, const struct boundary_filter *filter)
{
    struct hatf_reader *hatf = from_base(reader);
    window_rewind(&hatf->window);
    XXH3_64bits_reset(hatf->digest);
    hatf_state_init(&hatf->state, hatf->little_endian);
    hatf->has_times = false;
    hatf->events = hatf->last_time = 0;
    failure_clear(&hatf->failure);
    hatf->filter = filter;
}

static uint64_t hatf_digest(const struct reader *reader)
{
    return XXH3_64bits_digest(((const struct hatf_reader *)reader)->digest);
}

static void hatf_close(struct reader *reader)
{
    struct hatf_reader *hatf = from_base(reader);
    failure_clear(&hatf->failure);
    XXH3_freeState(hatf->digest);
    window_free(&hatf->window);
    free(hatf);
}

static enum status hatf_open(struct reader **out, struct source *source,
                             const struct reader_options *options, struct failure *why)
{
    struct hatf_reader *hatf = calloc(1, sizeof *hatf);
    if (!hatf)
        return fail_memory(why);
    hatf->base = (struct reader){
        .class = &hatf_reader_class, .name = source_name(source), .explicit_time = true};
    hatf->window.source = source;
    hatf->little_endian = options->little_endian;
    hatf->any_order = options->lenient || options->keep_others;
    hatf->digest = XXH3_createState();
    if (!hatf->digest) {
        hatf_close(&hatf->base);
        return fail_memory(why);
    }
    hatf_rewind(&hatf->base, NULL);
    *out = &hatf->base;
    return STATUS_OK;
}

/* Says why the record at `offset` could not be decoded. */
static enum status reject(const struct hatf_reader *hatf, uint64_t offset,
                          enum hatf_result result, const struct hatf_record *record,
                          struct failure *why)
{
    const struct hatf_metadata *metadata = &record->metadata;
    const char *name = hatf->base.name;
    if (result == HATF_NO_SUCH_TAG)
        return fail_at_offset(why, STATUS_SYNTAX, name, offset,
                              "There is no record with the tag %u, they are 0 to %u",
                              record->tag, HATF_METADATA);
    if (result == HATF_NO_SUCH_SETTING)
        return fail_at_offset(
            why, STATUS_SYNTAX, name, offset,
            "Metadata set what there is not: operation %u, field %u, value %u",
            metadata->operation, metadata->field, metadata->code);
    return fail_at_offset(why, STATUS_SYNTAX, name, offset,
                          "The file ends within a record, of the tag %u", record->tag);
}

static enum status check_time(struct hatf_reader *hatf, uint64_t offset, uint64_t time,
                              struct failure *why)
{
    if (time < hatf->last_time && !hatf->any_order)
        return fail_at_offset(why, STATUS_SYNTAX, hatf->base.name, offset,
                              "The time goes backwards, from %" PRIu64 " to %" PRIu64,
                              hatf->last_time, time);
    hatf->last_time = time;
    return STATUS_OK;
}

/* Makes a record of an alloc or free. Address 0 is none: allocating it failed, and freeing it
 * does nothing. */
static enum status add_event(struct hatf_reader *hatf, struct batch *batch, uint64_t offset,
                             const struct hatf_record *record, struct failure *why)
{
    hatf->events++;
    struct event event = {.kind = record->tag == HATF_ALLOC ? EVENT_ALLOC : EVENT_FREE,
                          .address = record->numbers[HATF_ADDRESS],
                          .thread = record->numbers[HATF_THREAD],
                          .time = hatf->has_times ? record->numbers[HATF_TIME] : hatf->events,
                          .size = record->numbers[HATF_SIZE]};
    if (event.address == 0)
        return STATUS_OK;
    event_data_get(&event, record->data, record->data_length, hatf->little_endian);
    enum status status = check_time(hatf, offset, event.time, why);
    if (status == STATUS_OK && (!hatf->filter || event.kind == EVENT_FREE))
        batch->records[batch->count++] = event_record(&event);
    return status;
}

static enum status next_record(struct hatf_reader *hatf, struct batch *batch, struct load *load,
                               uint64_t offset, struct failure *why)
{
    struct hatf_record record;
    enum hatf_result result = hatf_decode(&hatf->state, load, &record);
    if (result != HATF_OK)
        return reject(hatf, offset, result, &record, why);
    if (record.tag == HATF_METADATA && record.metadata.field == HATF_TIME)
        hatf->has_times = true;
    batch->comments += record.tag == HATF_COMMENT;
    if (record.tag != HATF_ALLOC && record.tag != HATF_FREE)
        return STATUS_OK;
    return add_event(hatf, batch, offset, &record, why);
}

/* Decodes records until the batch is full, or too little is in view for another one. */
static enum status next_records(struct hatf_reader *hatf, struct batch *batch,
                                struct load *load, struct failure *why)
{
    const uint8_t *begin = load->at;
    uint64_t offset = hatf->window.offset;
    enum status status = STATUS_OK;
    while (status == STATUS_OK && batch->count < BATCH_RECORDS && load_left(load) > 0 &&
           (load_left(load) >= HATF_LONGEST || hatf->window.at_end))
        status = next_record(hatf, batch, load, offset + (size_t)(load->at - begin), why);
    XXH3_64bits_update(hatf->digest, begin, (size_t)(load->at - begin));
    window_take(&hatf->window, load);
    return status;
}

/* Keeps a failure for the next call, if there are records before it. */
static enum status fail_later(struct hatf_reader *hatf, const struct batch *batch,
                              enum status status, struct failure *why)
{
    if (batch->count == 0 || status == STATUS_OK)
        return status;
    hatf->failure = *why;
    *why = (struct failure){.status = STATUS_OK};
    return STATUS_OK;
}

static enum status fail_now(struct hatf_reader *hatf, struct failure *why)
{
    failure_clear(why);
    *why = hatf->failure;
    hatf->failure = (struct failure){.status = STATUS_OK};
    return why->status;
}

static enum status hatf_next(struct reader *reader, struct batch *batch, struct failure *why)
{
    struct hatf_reader *hatf = from_base(reader);
    batch->count = batch->text_length = 0;
    batch->first_line = 0;
    batch->comments = batch->unknown = batch->malformed = 0;
    if (hatf->failure.status != STATUS_OK)
        return fail_now(hatf, why);
    enum status status = batch_reserve(batch, BATCH_RECORDS, 0, why);
    struct load load = load_from(NULL, 0);
    do {
        if (status == STATUS_OK)
            status = window_fill(&hatf->window, HATF_LONGEST, &load, why);
        if (status == STATUS_OK && load_left(&load) == 0)
            return batch->count > 0 ? STATUS_OK : STATUS_END;
        if (status == STATUS_OK)
            status = next_records(hatf, batch, &load, why);
    } while (status == STATUS_OK && batch->count == 0);
    return fail_later(hatf, batch, status, why);
}

const struct reader_class hatf_reader_class = {
    .name = "hatf",
    .holds_lifetimes = true,
    .bid = hatf_bid,
    .open = hatf_open,
    .next = hatf_next,
    .rewind = hatf_rewind,
    .digest = hatf_digest,
    .close = hatf_close,
};
