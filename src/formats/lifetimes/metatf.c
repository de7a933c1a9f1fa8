/* SPDX-License-Identifier: MIT */
/* Meta-TF. The DTD is known, and so is the layout of each record, which is fixed: the reader
 * checks the description of the file in its header against the DTD. The header says how many
 * records there are, and an output may be a pipe or compressed: so the writer, which writes
 * little-endian, spools the records first. */
#include "base/bytes.h"
#include "base/text.h"
#include "formats/classes.h"
#include "formats/lifetimes/events.h"
#include "io/temporary/spool.h"
#include "trace/writer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The name of the DTD, by which files refer to it, without a terminator. */
#define METATF_DTD_NAME "et-lifetimes-1.dtd"

/* The length of the header without the DTD's name, and that of the section's header. */
enum { METATF_HEADER = 28, METATF_SECTION_HEADER = 12 };
#define METATF_MAGIC "\177MTF"
enum { METATF_CLASS_64 = 2, METATF_LITTLE_ENDIAN = 1, METATF_BIG_ENDIAN = 2 };

/* The tags of built-in records, and of those in the DTD's section. */
enum {
    METATF_COMMENT = 1,
    METATF_SECTION = 2,
    METATF_METADATA = 3,
    METATF_ALLOC = 4,
    METATF_FREE = 6,
    METATF_CREATE_THREAD = 9,
    METATF_DESTROY_THREAD = 10
};

/* The number of the section that has all records. */
enum { METATF_LIFETIMES = 1 };

/* More than the header or any record needs. */
enum { LONGEST = 1024 };

struct metatf_reader {
    struct event_reader base;
    bool little_endian;
    bool in_section;
    uint64_t start;      /* where the records begin */
    uint64_t records;    /* how many there are, as in the header */
    uint64_t section_at; /* where the section begins, and its size, as in the header */
    uint64_t section_size;
    uint64_t counted; /* how many records there were so far */
};

static struct metatf_reader *reader_from_base(struct event_reader *reader)
{
    return (struct metatf_reader *)reader;
}

static int metatf_bid(const char *head, size_t length)
{
    return length >= 4 && memcmp(head, METATF_MAGIC, 4) == 0 ? 100 : 0;
}

static void metatf_reader_begin(struct event_reader *reader)
{
    struct metatf_reader *metatf = reader_from_base(reader);
    metatf->in_section = false;
    metatf->counted = 0;
}

static bool metatf_reader_take(const struct metatf_reader *metatf, struct load *load,
                               unsigned width, uint64_t *value)
{
    return load_number(load, width, metatf->little_endian, value);
}

static enum status metatf_reader_reject(const struct event_reader *reader, uint64_t offset,
                                        const char *text, struct failure *why)
{
    return fail_at_offset(why, STATUS_SYNTAX, reader->base.name, offset, "%s", text);
}

static enum status fail_cut_off(const struct event_reader *reader, struct decoded *decoded,
                                struct failure *why)
{
    decoded->is_cut_off = true;
    return metatf_reader_reject(reader, decoded->offset, "The file ends within a record", why);
}

/* Reads the part of the header that has fixed positions. Before the byte order is known, only
 * single bytes are read. */
static enum status decode_start(struct metatf_reader *metatf, struct load *load,
                                uint64_t *name_length, uint64_t *sections, struct failure *why)
{
    const struct event_reader *reader = &metatf->base;
    const uint8_t *magic, *padding;
    uint64_t word_class, order;
    if (!load_bytes(load, 4, &magic) || memcmp(magic, METATF_MAGIC, 4) != 0)
        return metatf_reader_reject(
            reader, 0, "The file does not begin with \\177MTF, as Meta-TF does", why);
    if (!load_big(load, 1, &word_class) || !load_big(load, 1, &order))
        return metatf_reader_reject(reader, 4, "The file ends within its header", why);
    if (word_class != METATF_CLASS_64)
        return metatf_reader_reject(
            reader, 4, "The header does not say that addresses have 64 bits (class 2)", why);
    if (order != METATF_LITTLE_ENDIAN && order != METATF_BIG_ENDIAN)
        return metatf_reader_reject(reader, 5,
                                    "The byte order is neither 1 (little) nor 2 (big)", why);
    metatf->little_endian = order == METATF_LITTLE_ENDIAN;
    if (!metatf_reader_take(metatf, load, 1, name_length) || !load_bytes(load, 9, &padding) ||
        !metatf_reader_take(metatf, load, 4, sections) ||
        !metatf_reader_take(metatf, load, 4, &metatf->start) ||
        !metatf_reader_take(metatf, load, 4, &metatf->records))
        return metatf_reader_reject(reader, 6, "The file ends within its header", why);
    return STATUS_OK;
}

static enum status check_name(const struct event_reader *reader, const uint8_t *name,
                              size_t length, struct failure *why)
{
    char shown[TEXT_QUOTE_SIZE];
    if (length == sizeof METATF_DTD_NAME - 1 && memcmp(name, METATF_DTD_NAME, length) == 0)
        return STATUS_OK;
    return fail_at_offset(why, STATUS_MEANING, reader->base.name, METATF_HEADER,
                          "The records are described by %s; only those of " METATF_DTD_NAME
                          " can be read",
                          text_quote(shown, (const char *)name, length));
}

static enum status decode_header(struct metatf_reader *metatf, struct load *load,
                                 struct failure *why)
{
    const struct event_reader *reader = &metatf->base;
    uint64_t length = 0, sections = 0, number;
    const uint8_t *name;
    TRY(decode_start(metatf, load, &length, &sections, why));
    if (!load_bytes(load, (size_t)length, &name))
        return metatf_reader_reject(reader, METATF_HEADER,
                                    "The file ends within the name of its DTD", why);
    TRY(check_name(reader, name, (size_t)length, why));
    uint64_t offset = METATF_HEADER + length;
    if (sections != 1)
        return metatf_reader_reject(reader, 16, "The file must have exactly one section", why);
    if (!metatf_reader_take(metatf, load, 4, &number) ||
        !metatf_reader_take(metatf, load, 4, &metatf->section_at) ||
        !metatf_reader_take(metatf, load, 4, &metatf->section_size))
        return metatf_reader_reject(reader, offset,
                                    "The file ends within the header of its section", why);
    if (number != METATF_LIFETIMES)
        return metatf_reader_reject(reader, offset, "The number of the section is not 1", why);
    if (metatf->start != offset + METATF_SECTION_HEADER)
        return metatf_reader_reject(reader, 20, "The records do not start after the header",
                                    why);
    return STATUS_OK;
}

static enum status decode_section(struct metatf_reader *metatf, struct load *load,
                                  struct decoded *decoded, struct failure *why)
{
    const struct event_reader *reader = &metatf->base;
    uint64_t offset = decoded->offset, number;
    if (!load_big(load, 1, &number))
        return fail_cut_off(reader, decoded, why);
    if (metatf->in_section || number != METATF_LIFETIMES)
        return metatf_reader_reject(reader, offset,
                                    "A section begins here that the header does not list", why);
    if (metatf->section_at != offset + 2)
        return metatf_reader_reject(reader, offset,
                                    "The header says that the section begins elsewhere", why);
    metatf->in_section = true;
    return STATUS_OK;
}

/* Takes a length of one byte, and as many bytes. */
static bool take_vfield(struct load *load, const uint8_t **bytes, size_t *length)
{
    uint64_t count;
    if (!load_big(load, 1, &count))
        return false;
    *length = (size_t)count;
    return load_bytes(load, *length, bytes);
}

static enum status decode_event(struct metatf_reader *metatf, struct load *load, unsigned tag,
                                struct decoded *decoded, struct failure *why)
{
    struct lifetime_event *event = &decoded->event;
    const uint8_t *data;
    size_t length;
    decoded->is_event = tag == METATF_ALLOC || tag == METATF_FREE;
    event->kind = tag == METATF_ALLOC ? EVENT_ALLOC : EVENT_FREE;
    if ((tag == METATF_ALLOC && !metatf_reader_take(metatf, load, 8, &event->size)) ||
        (decoded->is_event && !metatf_reader_take(metatf, load, 8, &event->address)) ||
        (decoded->is_event && !metatf_reader_take(metatf, load, 8, &event->time)) ||
        !metatf_reader_take(metatf, load, 8, &event->thread) ||
        !take_vfield(load, &data, &length))
        return fail_cut_off(&metatf->base, decoded, why);
    if (tag == METATF_ALLOC)
        event_data_get(event, data, length, metatf->little_endian);
    metatf->counted++;
    return STATUS_OK;
}

static enum status decode_metatf_comment(const struct event_reader *reader, struct load *load,
                                         struct decoded *decoded, struct failure *why)
{
    const uint8_t *text;
    size_t length;
    decoded->is_comment = true;
    return take_vfield(load, &text, &length) ? STATUS_OK : fail_cut_off(reader, decoded, why);
}

static enum status metatf_reader_decode(struct event_reader *reader, struct load *load,
                                        struct decoded *decoded, struct failure *why)
{
    struct metatf_reader *metatf = reader_from_base(reader);
    uint64_t tag = 0;
    if (decoded->offset == 0)
        return decode_header(metatf, load, why);
    if (!load_big(load, 1, &tag))
        return fail_cut_off(reader, decoded, why);
    if (tag == METATF_COMMENT)
        return decode_metatf_comment(reader, load, decoded, why);
    if (tag == METATF_SECTION)
        return decode_section(metatf, load, decoded, why);
    if (tag == METATF_METADATA)
        return metatf_reader_reject(
            reader, decoded->offset,
            "Metadata change the layout of records, which cannot be read", why);
    if (tag != METATF_ALLOC && tag != METATF_FREE && tag != METATF_CREATE_THREAD &&
        tag != METATF_DESTROY_THREAD)
        return fail_at_offset(why, STATUS_SYNTAX, reader->base.name, decoded->offset,
                              "There is no record with the tag %" PRIu64 " in " METATF_DTD_NAME,
                              tag);
    if (!metatf->in_section)
        return metatf_reader_reject(reader, decoded->offset,
                                    "A record stands before its section", why);
    return decode_event(metatf, load, (unsigned)tag, decoded, why);
}

static enum status metatf_reader_end(const struct event_reader *reader, uint64_t offset,
                                     struct failure *why)
{
    const struct metatf_reader *metatf = (const struct metatf_reader *)reader;
    const char *name = reader->base.name;
    if (offset == 0)
        return metatf_reader_reject(reader, 0,
                                    "The file is empty: it does not even have a header", why);
    if (metatf->counted != metatf->records)
        return fail_at_offset(why, STATUS_SYNTAX, name, offset,
                              "The file ends after %" PRIu64 " of its %" PRIu64 " records",
                              metatf->counted, metatf->records);
    if (offset != metatf->section_at + metatf->section_size)
        return fail_at_offset(why, STATUS_SYNTAX, name, offset,
                              "The file does not end with its section, at byte %" PRIu64,
                              metatf->section_at + metatf->section_size);
    return STATUS_OK;
}

static const struct lifetime_format format = {.longest = LONGEST,
                                              .begin = metatf_reader_begin,
                                              .decode = metatf_reader_decode,
                                              .end = metatf_reader_end};

static enum status metatf_reader_open(struct reader **out, struct source *source,
                                      const struct reader_options *options, struct failure *why)
{
    struct metatf_reader *metatf = calloc(1, sizeof *metatf);
    if (!metatf)
        return fail_memory(why);
    TRY(event_reader_begin(&metatf->base, &metatf_reader_class, &format, source, options, why));
    *out = &metatf->base.base;
    return STATUS_OK;
}

const struct reader_class metatf_reader_class = {
    .name = "metatf",
    .title = "Meta-TF",
    .holds_lifetimes = true,
    .bid = metatf_bid,
    .open = metatf_reader_open,
    .next = event_reader_next,
    .rewind = event_reader_rewind,
    .digest = event_reader_digest,
    .close = event_reader_close,
    .remarks = event_reader_remarks,
};

static const char dtd[] =
    "// " METATF_DTD_NAME ": Meta-TF 1.0\n"
    "// The lifetimes of a program's objects. Times are a logical clock, addresses are ids.\n"
    "tag.width = 1;\n"
    "tag.interpretation = none;\n"
    "size.width = 8;\n"
    "size.interpretation = none;\n"
    "address.width = 8;\n"
    "address.interpretation = none;\n"
    "time.width = 8;\n"
    "time.interpretation = none;\n"
    "thread.width = 8;\n"
    "thread.interpretation = none;\n"
    "heap.interpretation = default 0;\n"
    "section lifetimes 1 {\n"
    "    // The vfield holds type, site and length, of 4 or 8 bytes each;\n"
    "    // it is empty if all are 0.\n"
    "    alloc : (tag, size, address, time, thread, heap, vfield) { tag.value = 4; }\n"
    "    free : (tag, address, time, thread, heap, vfield) { tag.value = 6; }\n"
    "    createThread : (tag, thread, vfield) { tag.value = 9; }\n"
    "    destroyThread : (tag, thread, vfield) { tag.value = 10; }\n"
    "}\n";

static const struct companion companion = {
    .name = METATF_DTD_NAME, .text = dtd, .length = sizeof dtd - 1};

enum {
    NAME_LENGTH = sizeof METATF_DTD_NAME - 1,
    SECTION_AT = METATF_HEADER + NAME_LENGTH + METATF_SECTION_HEADER,
    RECORDS_AT = SECTION_AT + 2, /* after the section record */
    RECORD_MAX = 1 + 4 * 8 + 1 + EVENT_DATA_MAX,
    BUFFER_SIZE = 64 * 1024
};

struct metatf_writer {
    struct writer base;
    struct sink *sink;
    struct lifetime_events events;
    struct spool *spool;
    uint64_t records;
    size_t buffered;
    uint8_t buffer[BUFFER_SIZE];
};

static struct metatf_writer *writer_from_base(struct writer *writer)
{
    return (struct metatf_writer *)writer;
}

static void metatf_close(struct writer *writer)
{
    struct metatf_writer *metatf = writer_from_base(writer);
    spool_close(metatf->spool);
    events_free(&metatf->events);
    free(metatf);
}

static enum status metatf_writer_open(struct writer **out, struct sink *sink,
                                      const struct writer_options *options, struct failure *why)
{
    struct metatf_writer *metatf = calloc(1, sizeof *metatf);
    if (!metatf)
        return fail_memory(why);
    metatf->base.methods = &metatf_writer_class;
    metatf->sink = sink;
    metatf->events.explicit_time = options->explicit_time;
    metatf->events.deaths_by_position = options->deaths_by_position;
    enum status status = spool_open(&metatf->spool, &options->temporary, why);
    if (status != STATUS_OK) {
        metatf_close(&metatf->base);
        return status;
    }
    *out = &metatf->base;
    return STATUS_OK;
}

/* The bytes of all records so far. */
static uint64_t count_bytes(const struct metatf_writer *metatf)
{
    return spool_length(metatf->spool) + metatf->buffered;
}

static enum status metatf_writer_flush(struct metatf_writer *metatf, struct failure *why)
{
    size_t length = metatf->buffered;
    metatf->buffered = 0;
    return spool_append(metatf->spool, metatf->buffer, length, why);
}

static uint8_t *metatf_writer_put(uint8_t *out, uint64_t value, unsigned width)
{
    return store_number(out, value, width, true);
}

/* Writes type, site and length: 4 bytes each, or 8 if one does not fit, or nothing if all are
 * 0. */
static uint8_t *put_data(uint8_t *out, const struct lifetime_event *event)
{
    unsigned width = event_data_width(event);
    if (width == 1 || width == 2)
        width = 4;
    size_t length = event_data_put(event, width, true, out + 1);
    *out = (uint8_t)length;
    return out + 1 + length;
}

static uint8_t *put_event(uint8_t *out, const struct lifetime_event *event)
{
    static const uint8_t tags[] = {[EVENT_ALLOC] = METATF_ALLOC,
                                   [EVENT_FREE] = METATF_FREE,
                                   [EVENT_CREATE_THREAD] = METATF_CREATE_THREAD,
                                   [EVENT_DESTROY_THREAD] = METATF_DESTROY_THREAD};
    bool is_alloc = event->kind == EVENT_ALLOC;
    *out++ = tags[event->kind];
    if (is_alloc)
        out = metatf_writer_put(out, event->size, 8);
    if (is_alloc || event->kind == EVENT_FREE) {
        out = metatf_writer_put(out, event->address, 8);
        out = metatf_writer_put(out, event->time, 8);
    }
    out = metatf_writer_put(out, event->thread, 8);
    return is_alloc ? put_data(out, event) : metatf_writer_put(out, 0, 1);
}

/* A lifetime_event_visitor. */
static enum status write_event(void *context, const struct lifetime_event *event,
                               struct failure *why)
{
    struct metatf_writer *metatf = context;
    if (BUFFER_SIZE - metatf->buffered < RECORD_MAX)
        TRY(metatf_writer_flush(metatf, why));
    uint8_t *at = metatf->buffer + metatf->buffered;
    metatf->buffered += (size_t)(put_event(at, event) - at);
    metatf->records++;
    if (count_bytes(metatf) <= UINT32_MAX - RECORDS_AT)
        return STATUS_OK;
    return fail_at(why, STATUS_LIMIT, sink_name(metatf->sink), 0,
                   "The output would be 4 GiB or more, which a header of Meta-TF 1.0 cannot "
                   "express; HATF has no such limit");
}

static enum status metatf_record(struct writer *writer, const struct record *record,
                                 struct failure *why)
{
    struct metatf_writer *metatf = writer_from_base(writer);
    return events_add(&metatf->events, record, write_event, metatf, why);
}

static enum status write_header(struct metatf_writer *metatf, struct failure *why)
{
    uint8_t header[RECORDS_AT], *end = header;
    end = (uint8_t *)memcpy(end, METATF_MAGIC, 4) + 4;
    end = metatf_writer_put(end, METATF_CLASS_64, 1);
    end = metatf_writer_put(end, METATF_LITTLE_ENDIAN, 1);
    end = metatf_writer_put(end, NAME_LENGTH, 1);
    end = metatf_writer_put(metatf_writer_put(end, 0, 8), 0, 1);
    end = metatf_writer_put(end, 1, 4); /* sections */
    end = metatf_writer_put(end, SECTION_AT, 4);
    end = metatf_writer_put(end, metatf->records, 4);
    end = (uint8_t *)memcpy(end, METATF_DTD_NAME, NAME_LENGTH) + NAME_LENGTH;
    end = metatf_writer_put(end, METATF_LIFETIMES, 4);
    end = metatf_writer_put(end, RECORDS_AT, 4);
    end = metatf_writer_put(end, count_bytes(metatf), 4);
    end = metatf_writer_put(end, METATF_SECTION, 1);
    end = metatf_writer_put(end, METATF_LIFETIMES, 1);
    return sink_write(metatf->sink, header, (size_t)(end - header), why);
}

static enum status write_records(struct metatf_writer *metatf, struct failure *why)
{
    TRY(metatf_writer_flush(metatf, why));
    uint64_t offset = 0;
    while (offset < spool_length(metatf->spool)) {
        size_t got;
        TRY(spool_read(metatf->spool, offset, metatf->buffer, BUFFER_SIZE, &got, why));
        TRY(sink_write(metatf->sink, metatf->buffer, got, why));
        offset += got;
    }
    return STATUS_OK;
}

static enum status metatf_finish(struct writer *writer, struct failure *why)
{
    struct metatf_writer *metatf = writer_from_base(writer);
    TRY(events_end(&metatf->events, write_event, metatf, why));
    TRY(write_header(metatf, why));
    return write_records(metatf, why);
}

const struct writer_class metatf_writer_class = {
    .name = "metatf",
    .reader = &metatf_reader_class,
    .companion = &companion,
    .writes_lives = true,
    .open = metatf_writer_open,
    .record = metatf_record,
    .finish = metatf_finish,
    .close = metatf_close,
};
