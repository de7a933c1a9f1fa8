/* SPDX-License-Identifier: MIT */
/* Records are in blocks, each of which can be decoded on its own, so that blocks can be read in
 * any order; the length of a block comes before and after it. A record is a byte for its kind,
 * and its fields. An id is written as its slot in a small table of recent ids of the block,
 * which has nine of ten. A thread is written only if it differs from that of the record before,
 * a time only if it does not count up. */
#include "trace/record_spool.h"

#include "base/bytes.h"
#include "base/hash.h"
#include "base/memory.h"
#include "trace/record.h"

#include <stdlib.h>
#include <string.h>

enum {
    BLOCK_BYTES = 64 * 1024,
    BLOCK_RECORDS = 8 * 1024,
    RECORD_BYTES_MAX = 1 + 7 * (1 + VARINT_MAX), /* an allocation with details */
    SLOTS = 256                                  /* of ids */
};

/* The first byte of a record: the number of its kind, its marks, and these. */
enum { KIND_BITS = 4, MARKS_SHIFT = KIND_BITS, HAS_CONTEXT = 1 << 6, HAS_METHOD = 1 << 7 };

/* A kind, as it is encoded in the file. */
struct spool_kind {
    uint8_t kind;
    uint8_t names; /* RECORD_NAMES_... */
    bool has_field;
    bool has_details; /* this and the next only if details are kept */
    bool has_entered; /* it has a method that is entered */
};

/* What coding and decoding a record of a block depends on. */
struct spool_context {
    uint64_t ids[SLOTS];     /* slot 0 is not used */
    uint64_t last;           /* the thread of the record before, or its time */
    uint64_t details[SLOTS]; /* the same, for methods, sizes, types, sites and lengths */
    uint64_t line;           /* of the allocation before, or of the first record */
};

struct block_head {
    uint32_t length; /* of the records, in bytes */
    uint32_t count;
    uint64_t first_line; /* with details: of the first record */
};

struct record_spool {
    struct spool *spool;
    bool explicit_time;
    bool keeps_details;
    uint64_t first_line; /* of the batch that is being added */
    struct spool_kind kinds[1 << KIND_BITS];
    uint8_t numbers[RECORD_KINDS]; /* of kinds, in `kinds` */
    struct spool_context context;
    size_t length;
    uint32_t count;
    uint64_t block_line; /* the line of the block's first record */
    uint8_t block[BLOCK_BYTES + sizeof(struct block_head)];
};

struct spool_reader {
    struct reader base;
    struct record_spool *spool;
    bool backward;
    uint64_t offset; /* where the next block begins; backward: where it ends */
    struct spool_context context;
    uint8_t *block;
    size_t capacity;
};

/* Takes the kinds from the table of records; deaths are not spooled. */
static void number_kinds(struct record_spool *spool)
{
    uint8_t names[RECORD_KINDS], number = 0;
    record_names_by_kind(names);
    for (size_t i = 0; i < record_layout_count && number < 1 << KIND_BITS; i++) {
        const struct record_layout *layout = &record_layouts[i];
        if (layout->kind == RECORD_DEATH)
            continue;
        spool->numbers[layout->kind] = number;
        spool->kinds[number++] = (struct spool_kind){
            .kind = layout->kind,
            .names = names[layout->kind],
            .has_field = layout->kind == RECORD_UPDATE,
            .has_details = record_is_allocation(layout->kind),
            .has_entered = layout->kind == RECORD_ENTRY,
        };
    }
}

enum status record_spool_open(struct record_spool **out, bool explicit_time,
                              const struct temporary_folder *temporary, struct failure *why)
{
    struct record_spool *spool = calloc(1, sizeof *spool);
    if (!spool)
        return fail_memory(why);
    spool->explicit_time = explicit_time;
    number_kinds(spool);
    enum status status = spool_open(&spool->spool, temporary, why);
    if (status == STATUS_OK)
        *out = spool;
    else
        record_spool_close(spool);
    return status;
}

void record_spool_keep_details(struct record_spool *spool)
{
    spool->keeps_details = true;
}

void record_spool_set_line(struct record_spool *spool, uint64_t first_line)
{
    spool->first_line = first_line;
}

/* The slot of an id: never 0; that of null holds null in a new table. */
static unsigned slot_of_id(uint64_t id)
{
    unsigned slot = (unsigned)hash_slot(id, 8);
    return slot ? slot : 1;
}

static inline uint8_t *put_id(uint64_t *table, uint8_t *at, uint64_t id)
{
    unsigned slot = slot_of_id(id);
    if (table[slot] == id) {
        *at++ = (uint8_t)slot;
        return at;
    }
    table[slot] = id;
    *at++ = 0;
    return varint_put(at, id);
}

static inline const uint8_t *get_id(uint64_t *table, const uint8_t *at, const uint8_t *end,
                                    uint64_t *id)
{
    if (at == end)
        return NULL;
    unsigned slot = *at++;
    if (slot != 0) {
        *id = table[slot];
        return at;
    }
    at = varint_get(at, end, id);
    table[slot_of_id(*id)] = *id;
    return at;
}

/* The thread or time that is not written: the thread of the record before, or the time that
 * counts up. */
static uint64_t expected(const struct spool_context *context, bool explicit_time, unsigned kind)
{
    return context->last + (explicit_time && record_is_boundary(kind));
}

static enum status flush(struct record_spool *spool, struct failure *why)
{
    struct block_head head = {(uint32_t)spool->length, spool->count, spool->block_line};
    if (spool->count == 0)
        return STATUS_OK;
    memcpy(spool->block + spool->length, &head, sizeof head);
    enum status status = spool_append(spool->spool, &head, sizeof head, why);
    if (status == STATUS_OK)
        status = spool_append(spool->spool, spool->block, spool->length + sizeof head, why);
    spool->length = spool->count = 0;
    memset(&spool->context, 0, sizeof spool->context);
    return status;
}

/* Writes what comes before the fields. */
static uint8_t *put_head(struct record_spool *spool, uint8_t *at, const struct record *record,
                         unsigned number)
{
    struct spool_context *context = &spool->context;
    bool is_exit = record->kind == RECORD_EXIT || record->kind == RECORD_EXCEPTION_EXIT;
    bool is_timeless = spool->explicit_time && !record_is_boundary(record->kind);
    uint64_t wanted = expected(context, spool->explicit_time, record->kind);
    bool has_context = !is_timeless && record->thread != wanted;
    bool has_method = is_exit && record->method != 1;
    *at++ = (uint8_t)(number | (unsigned)record->marks << MARKS_SHIFT |
                      (has_context ? HAS_CONTEXT : 0) | (has_method ? HAS_METHOD : 0));
    context->last = has_context ? record->thread : wanted;
    if (has_context)
        at = put_id(context->ids, at, record->thread);
    return has_method ? varint_put(at, record->method) : at;
}

/* Writes what an allocation has in addition to its object and its thread. */
static uint8_t *put_details(struct spool_context *context, uint8_t *at,
                            const struct record *record, uint64_t line)
{
    at = put_id(context->details, at, record->size);
    at = put_id(context->details, at, record->type);
    at = put_id(context->details, at, record->site);
    at = put_id(context->details, at, record->length);
    at = varint_put(at, varint_step(context->line, line));
    context->line = line;
    return at;
}

/* Prepares for a record in line `line`. The lines of a block count from that of its first
 * record; a new block begins if they do not fit the 32 bits of a record. */
static enum status begin_line(struct record_spool *spool, uint64_t line, struct failure *why)
{
    enum status status = STATUS_OK;
    if (spool->count > 0 && line - spool->block_line > UINT32_MAX)
        status = flush(spool, why);
    if (spool->count == 0)
        spool->block_line = spool->context.line = line;
    return status;
}

enum status record_spool_add(struct record_spool *spool, const struct record *record,
                             struct failure *why)
{
    uint64_t line = spool->first_line + record->line;
    TRY(spool->keeps_details ? begin_line(spool, line, why) : STATUS_OK);
    unsigned number = spool->numbers[record->kind];
    const struct spool_kind *kind = &spool->kinds[number];
    uint8_t *at = put_head(spool, spool->block + spool->length, record, number);
    if (kind->names & RECORD_NAMES_FIRST)
        at = put_id(spool->context.ids, at, record->object);
    if (kind->names & RECORD_NAMES_SECOND)
        at = put_id(spool->context.ids, at, record->value);
    if (kind->has_field)
        at = put_id(spool->context.ids, at, record->field);
    if (kind->has_entered && spool->keeps_details)
        at = put_id(spool->context.details, at, record->method);
    if (kind->has_details && spool->keeps_details)
        at = put_details(&spool->context, at, record, line);
    spool->length = (size_t)(at - spool->block);
    if (++spool->count < BLOCK_RECORDS && spool->length + RECORD_BYTES_MAX <= BLOCK_BYTES)
        return STATUS_OK;
    return flush(spool, why);
}

enum status record_spool_finish(struct record_spool *spool, struct failure *why)
{
    return flush(spool, why);
}

void record_spool_close(struct record_spool *spool)
{
    if (!spool)
        return;
    spool_close(spool->spool);
    free(spool);
}

/* Reads `length` bytes of the file at `offset`. */
static enum status read_bytes(struct spool_reader *reader, uint64_t offset, void *bytes,
                              size_t length, struct failure *why)
{
    size_t got;
    enum status status = spool_read(reader->spool->spool, offset, bytes, length, &got, why);
    return status == STATUS_OK && got < length ? spool_fail_damaged(reader->spool->spool, why)
                                               : status;
}

/* Reads the next block into memory and moves the offset after it. */
static enum status spool_reader_fetch(struct spool_reader *reader, struct block_head *head,
                                      struct failure *why)
{
    size_t size = sizeof *head;
    uint64_t at = reader->backward ? reader->offset - size : reader->offset;
    TRY(read_bytes(reader, at, head, size, why));
    if (head->length > BLOCK_BYTES || head->count > BLOCK_RECORDS)
        return spool_fail_damaged(reader->spool->spool, why);
    if (!ARRAY_RESERVE(reader->block, reader->capacity, head->length))
        return fail_memory(why);
    at = reader->backward ? at - head->length : at + size;
    TRY(read_bytes(reader, at, reader->block, head->length, why));
    reader->offset = reader->backward ? at - size : at + head->length + size;
    return STATUS_OK;
}

/* Reads what put_head has written. */
static const uint8_t *get_head(struct spool_reader *reader, const uint8_t *at,
                               const uint8_t *end, struct record *record,
                               const struct spool_kind **kind)
{
    struct spool_context *context = &reader->context;
    if (at == end)
        return NULL;
    unsigned head = *at++;
    *kind = &reader->spool->kinds[head & ((1 << KIND_BITS) - 1)];
    if ((*kind)->kind == 0)
        return NULL;
    record->kind = (*kind)->kind;
    record->marks = head >> MARKS_SHIFT & ((1 << RECORD_MARK_BITS) - 1);
    record->thread = expected(context, reader->spool->explicit_time, record->kind);
    record->method = 1;
    if (head & HAS_CONTEXT)
        at = get_id(context->ids, at, end, &record->thread);
    context->last = record->thread;
    return at && head & HAS_METHOD ? varint_get(at, end, &record->method) : at;
}

/* Reads what put_details has written; the lines of the batch begin with `first_line`. */
static const uint8_t *get_details(struct spool_context *context, const uint8_t *at,
                                  const uint8_t *end, struct record *record,
                                  uint64_t first_line)
{
    uint64_t step = 0;
    at = get_id(context->details, at, end, &record->size);
    at = at ? get_id(context->details, at, end, &record->type) : NULL;
    at = at ? get_id(context->details, at, end, &record->site) : NULL;
    at = at ? get_id(context->details, at, end, &record->length) : NULL;
    at = at ? varint_get(at, end, &step) : NULL;
    context->line = varint_follow(context->line, step);
    record->line = (uint32_t)(context->line - first_line);
    return at;
}

static const uint8_t *get_record(struct spool_reader *reader, const uint8_t *at,
                                 const uint8_t *end, struct record *record, uint64_t first_line)
{
    struct spool_context *context = &reader->context;
    const struct spool_kind *kind;
    at = get_head(reader, at, end, record, &kind);
    record->object = 0;
    if (at && kind->names & RECORD_NAMES_FIRST)
        at = get_id(context->ids, at, end, &record->object);
    if (at && kind->names & RECORD_NAMES_SECOND)
        at = get_id(context->ids, at, end, &record->value);
    if (at && kind->has_field)
        at = get_id(context->ids, at, end, &record->field);
    if (at && kind->has_entered && reader->spool->keeps_details)
        at = get_id(context->details, at, end, &record->method);
    if (at && kind->has_details && reader->spool->keeps_details)
        at = get_details(context, at, end, record, first_line);
    return at;
}

static enum status spool_reader_next(struct reader *base, struct batch *batch,
                                     struct failure *why)
{
    struct spool_reader *reader = (struct spool_reader *)base;
    struct block_head head;
    batch_restart(batch);
    if (reader->offset == (reader->backward ? 0 : spool_length(reader->spool->spool)))
        return STATUS_END;
    TRY(spool_reader_fetch(reader, &head, why));
    TRY(batch_reserve(batch, head.count, 0, why));
    memset(&reader->context, 0, sizeof reader->context);
    reader->context.line = batch->first_line = head.first_line;
    const uint8_t *at = reader->block, *end = at + head.length;
    while (batch->count < head.count &&
           (at = get_record(reader, at, end, &batch->records[batch->count], head.first_line)))
        batch->count++;
    return at == end ? STATUS_OK : spool_fail_damaged(reader->spool->spool, why);
}

static void spool_reader_close(struct reader *base)
{
    struct spool_reader *reader = (struct spool_reader *)base;
    free(reader->block);
    free(reader);
}

static const struct reader_class spool_reader_class = {
    .name = "record spool",
    .next = spool_reader_next,
    .close = spool_reader_close,
};

enum status record_spool_read(struct reader **out, struct record_spool *spool, bool backward,
                              struct failure *why)
{
    struct spool_reader *reader = calloc(1, sizeof *reader);
    if (!reader)
        return fail_memory(why);
    reader->base.methods = &spool_reader_class;
    reader->base.explicit_time = spool->explicit_time;
    reader->spool = spool;
    reader->backward = backward;
    reader->offset = backward ? spool_length(spool->spool) : 0;
    *out = &reader->base;
    return STATUS_OK;
}
