/* A file of HATF has no header, so nothing but its records can be checked. */
#include "formats/hatf_reader.h"

#include "formats/event_reader.h"
#include "formats/hatf_codec.h"

#include <stdlib.h>
#include <string.h>

struct hatf_reader {
    struct event_reader base;
    bool little_endian;
    struct hatf_state state;
    bool has_times; /* the file has said something of the time */
    uint64_t events;
};

static struct hatf_reader *from_base(struct event_reader *reader)
{
    return (struct hatf_reader *)reader;
}

/* What our writer's files begin with: metadata that make addresses 8 bytes and threads none. */
static int hatf_bid(const char *head, size_t length)
{
    static const char begin[] = "\x0b\x01\x01\x08\x0b\x02\x03\x00\x0b\x01\x03\x04";
    return length >= sizeof begin - 1 && memcmp(head, begin, sizeof begin - 1) == 0 ? 50 : 0;
}

static void begin(struct event_reader *reader)
{
    struct hatf_reader *hatf = from_base(reader);
    hatf_state_init(&hatf->state, hatf->little_endian);
    hatf->has_times = false;
    hatf->events = 0;
}

/* Says why the record at `offset` could not be decoded. */
static enum status reject(const char *name, uint64_t offset, enum hatf_result result,
                          const struct hatf_record *record, struct failure *why)
{
    const struct hatf_metadata *metadata = &record->metadata;
    if (result == HATF_NO_SUCH_TAG)
        return fail_at_offset(why, STATUS_SYNTAX, name, offset,
                              "There is no record with the tag %u, they are 0 to %u",
                              record->tag, HATF_METADATA);
    if (result == HATF_NO_SUCH_SETTING)
        return fail_at_offset(
            why, STATUS_SYNTAX, name, offset,
            "Metadata set what HATF does not have: operation %u, field %u, value %u",
            metadata->operation, metadata->field, metadata->code);
    return fail_at_offset(why, STATUS_SYNTAX, name, offset,
                          "The file ends within a record, of the tag %u", record->tag);
}

static void read_event(struct hatf_reader *hatf, const struct hatf_record *record,
                       struct event *event)
{
    hatf->events++;
    *event = (struct event){.kind = record->tag == HATF_ALLOC ? EVENT_ALLOC : EVENT_FREE,
                            .address = record->numbers[HATF_ADDRESS],
                            .thread = record->numbers[HATF_THREAD],
                            .time = hatf->has_times ? record->numbers[HATF_TIME] : hatf->events,
                            .size = record->numbers[HATF_SIZE]};
    event_data_get(event, record->data, record->data_length, hatf->little_endian);
}

static enum status decode(struct event_reader *reader, struct load *load,
                          struct decoded *decoded, struct failure *why)
{
    struct hatf_reader *hatf = from_base(reader);
    struct hatf_record record;
    enum hatf_result result = hatf_decode(&hatf->state, load, &record);
    if (result != HATF_OK)
        return reject(reader->base.name, decoded->offset, result, &record, why);
    if (record.tag == HATF_METADATA && record.metadata.field == HATF_TIME)
        hatf->has_times = true;
    decoded->is_comment = record.tag == HATF_COMMENT;
    decoded->is_event = record.tag == HATF_ALLOC || record.tag == HATF_FREE;
    if (decoded->is_event)
        read_event(hatf, &record, &decoded->event);
    return STATUS_OK;
}

static const struct event_format format = {
    .longest = HATF_LONGEST, .begin = begin, .decode = decode};

static enum status hatf_open(struct reader **out, struct source *source,
                             const struct reader_options *options, struct failure *why)
{
    struct hatf_reader *hatf = calloc(1, sizeof *hatf);
    if (!hatf)
        return fail_memory(why);
    hatf->little_endian = options->little_endian;
    enum status status =
        event_reader_begin(&hatf->base, &hatf_reader_class, &format, source, options, why);
    if (status == STATUS_OK)
        *out = &hatf->base.base;
    return status;
}

const struct reader_class hatf_reader_class = {
    .name = "hatf",
    .holds_lifetimes = true,
    .bid = hatf_bid,
    .open = hatf_open,
    .next = event_reader_next,
    .rewind = event_reader_rewind,
    .digest = event_reader_digest,
    .close = event_reader_close,
    .remarks = event_reader_remarks,
};
