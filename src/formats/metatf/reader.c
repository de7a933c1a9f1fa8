/* SPDX-License-Identifier: MIT */
/* The DTD is known, and so is the layout of each record. The description of the file in its
 * header is checked against it. */
#include "formats/metatf/metatf.h"

#include "base/text.h"
#include "formats/lifetime/reader.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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

static struct metatf_reader *from_base(struct event_reader *reader)
{
    return (struct metatf_reader *)reader;
}

static int metatf_bid(const char *head, size_t length)
{
    return length >= 4 && memcmp(head, METATF_MAGIC, 4) == 0 ? 100 : 0;
}

static void metatf_reader_begin(struct event_reader *reader)
{
    struct metatf_reader *metatf = from_base(reader);
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
    enum status status = decode_start(metatf, load, &length, &sections, why);
    if (status != STATUS_OK)
        return status;
    if (!load_bytes(load, (size_t)length, &name))
        return metatf_reader_reject(reader, METATF_HEADER,
                                    "The file ends within the name of its DTD", why);
    status = check_name(reader, name, (size_t)length, why);
    if (status != STATUS_OK)
        return status;
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
    struct metatf_reader *metatf = from_base(reader);
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
    enum status status =
        event_reader_begin(&metatf->base, &metatf_reader_class, &format, source, options, why);
    if (status == STATUS_OK)
        *out = &metatf->base.base;
    return status;
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
