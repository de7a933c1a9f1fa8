/* SPDX-License-Identifier: MIT */
/* Temporary files of records. The bits of the first byte are options: 0, records have times; 1,
 * the file is read backward; 2, the other bytes are fields of records, which must be read back
 * as they were written. Without bit 2, the other bytes are the file itself, as if damaged. */
#include "trace/record_spool.c"

#include "fuzz.h"

const char fuzz_target[] = "record_spool";

enum { EXPLICIT_TIME = 1, BACKWARD = 2, ROUND_TRIP = 4 };

static const char kinds[] = "NAIPVMEXTHUW";

/* Makes the next record from the bytes. Each field is one byte, so that repetitions are likely.
 */
static struct record next_record(const uint8_t *bytes)
{
    struct record record = {.kind = (uint8_t)kinds[bytes[0] % (sizeof kinds - 1)]};
    uint8_t names[RECORD_KINDS];
    record_names_by_kind(names);
    record.marks = bytes[0] >> 6;
    if (names[record.kind] & RECORD_NAMES_FIRST)
        record.object = bytes[1] * UINT64_C(0x0101010101010101);
    record.thread = bytes[2];
    if (names[record.kind] & RECORD_NAMES_SECOND)
        record.value = bytes[3];
    if (record.kind == RECORD_UPDATE)
        record.field = UINT64_C(1) << bytes[3] % 64;
    return record;
}

static void add_records(struct record_spool *spool, const uint8_t *bytes, size_t length)
{
    struct failure why = {.status = STATUS_OK};
    for (size_t at = 0; at + 4 <= length; at += 4) {
        struct record record = next_record(bytes + at);
        if (record.kind == RECORD_EXIT || record.kind == RECORD_EXCEPTION_EXIT)
            record.method = bytes[at + 1];
        promised(record_spool_add(spool, &record, &why) == STATUS_OK);
    }
    promised(record_spool_finish(spool, &why) == STATUS_OK);
}

/* Expects the kind, the objects and the marks that were written. */
static void check_record(const struct record *found, const uint8_t *bytes)
{
    struct record wanted = next_record(bytes);
    promised(found->kind == wanted.kind && found->marks == wanted.marks);
    promised(found->object == wanted.object);
}

/* Reads the whole file. With `written`, the bytes from which its records were made, expects all
 * `count` of them. */
static void read_records(struct record_spool *spool, bool backward, const uint8_t *written,
                         size_t count)
{
    static struct batch batch;
    struct failure why = {.status = STATUS_OK};
    struct reader *reader = NULL;
    size_t left = count;
    enum status status;
    promised(record_spool_read(&reader, spool, backward, &why) == STATUS_OK);
    while ((status = reader_next(reader, &batch, &why)) == STATUS_OK) {
        promised(batch.count <= BLOCK_RECORDS);
        for (size_t i = 0; i < batch.count; i++)
            promised(batch.records[i].kind != 0 && strchr(kinds, batch.records[i].kind));
        promised(!written || batch.count <= left);
        size_t first = backward ? left - batch.count : count - left;
        for (size_t i = 0; written && i < batch.count; i++)
            check_record(&batch.records[i], written + 4 * (first + i));
        left -= batch.count;
    }
    promised(status == STATUS_END || (!written && why.status == status));
    promised(!written || left == 0);
    reader_close(reader);
    failure_clear(&why);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct failure why = {.status = STATUS_OK};
    struct record_spool *spool = NULL;
    if (length == 0)
        return 0;
    unsigned how = *bytes++;
    bool is_round_trip = how & ROUND_TRIP;
    length--;
    promised(record_spool_open(&spool, how & EXPLICIT_TIME, NULL, &why) == STATUS_OK);
    if (is_round_trip)
        add_records(spool, bytes, length);
    else if (length > 0)
        promised(spool_append(spool->spool, bytes, length, &why) == STATUS_OK);
    read_records(spool, how & BACKWARD, is_round_trip ? bytes : NULL,
                 is_round_trip ? length / 4 : 0);
    record_spool_close(spool);
    return 0;
}
