/* SPDX-License-Identifier: MIT */
/* Every record has a fixed layout, little-endian. The header says how many records there are,
 * and the output may be a pipe or compressed: so the records are spooled first. */
#include "formats/metatf/metatf.h"

#include "base/bytes.h"
#include "formats/lifetime/events.h"
#include "io/temporary/spool.h"
#include "trace/writer.h"

#include <stdlib.h>
#include <string.h>

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

static struct metatf_writer *from_base(struct writer *writer)
{
    return (struct metatf_writer *)writer;
}

static void metatf_close(struct writer *writer)
{
    struct metatf_writer *metatf = from_base(writer);
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
    if (BUFFER_SIZE - metatf->buffered < RECORD_MAX) {
        enum status status = metatf_writer_flush(metatf, why);
        if (status != STATUS_OK)
            return status;
    }
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
    struct metatf_writer *metatf = from_base(writer);
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
    enum status status = metatf_writer_flush(metatf, why);
    uint64_t offset = 0;
    while (status == STATUS_OK && offset < spool_length(metatf->spool)) {
        size_t got;
        status = spool_read(metatf->spool, offset, metatf->buffer, BUFFER_SIZE, &got, why);
        if (status == STATUS_OK)
            status = sink_write(metatf->sink, metatf->buffer, got, why);
        offset += got;
    }
    return status;
}

static enum status metatf_finish(struct writer *writer, struct failure *why)
{
    struct metatf_writer *metatf = from_base(writer);
    enum status status = events_end(&metatf->events, write_event, metatf, why);
    if (status == STATUS_OK)
        status = write_header(metatf, why);
    return status == STATUS_OK ? write_records(metatf, why) : status;
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
