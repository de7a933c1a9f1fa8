/* SPDX-License-Identifier: MIT */
/* Reads HATF. A file has no header, so only its records can be checked, and only files that
 * begin as this program writes them are recognised by their content. */
#include "formats/lifetimes/events.h"
#include "formats/lifetimes/hatf.h"
#include "formats/lifetimes/lifetimes.h"
#include "trace/reader_class.h"

#include <stdlib.h>
#include <string.h>

struct hatf_reader {
    struct event_reader base;
    bool little_endian;
    struct hatf_state state;
    bool has_times; /* there were metadata about time fields */
    uint64_t events;
};

static struct hatf_reader *from_base(struct event_reader *reader)
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
    struct hatf_reader *hatf = from_base(reader);
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
    struct hatf_reader *hatf = from_base(reader);
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
    "reads "
    "it as little-endian, --hatf-endian=big ends this note",
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
