/* SPDX-License-Identifier: MIT */
#include "trace/record_spool.h"

#include "support.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static struct record_spool *spool;

static void clean_up(void)
{
    record_spool_close(spool);
    scratch_remove();
}

TestSuite(record_spool, .fini = clean_up);

static void open_records(bool explicit_time)
{
    char path[PATH_SIZE];
    record_spool_close(spool);
    spool = NULL;
    ok(record_spool_open(&spool, explicit_time,
                         &(struct temporary_folder){.path = scratch_path(path, "")}, &cause));
}

static void add(struct record record)
{
    ok(record_spool_add(spool, &record, &cause));
}

static const char kinds[] = "NAIPVMEXTHUW";

/* Record i of a sequence in which each field has short and long values. */
static struct record sample_record(uint64_t i)
{
    uint64_t state = i + 1;
    struct record record = {.kind = (uint8_t)kinds[random_below(&state, 12)]};
    record.marks = (uint8_t)random_below(&state, 4);
    if (record.kind != RECORD_EXIT)
        record.object = random_below(&state, 2) ? random_below(&state, 300)
                                                : random_below(&state, UINT64_MAX) + 1;
    record.value = random_below(&state, 3) ? random_below(&state, 1000) : UINT64_MAX;
    record.field = random_below(&state, 40);
    record.thread = i / 7 % 3 == 0 ? UINT64_MAX : i / 7;
    return record;
}

static bool has_second(unsigned kind)
{
    return kind == RECORD_UPDATE || kind == RECORD_EXCEPTION_EXIT || kind == RECORD_THROW ||
           kind == RECORD_CATCH;
}

static bool has_third(unsigned kind)
{
    return kind == RECORD_UPDATE || kind == RECORD_EXIT || kind == RECORD_EXCEPTION_EXIT;
}

static bool is_same(const struct record *found, const struct record *expected)
{
    return found->kind == expected->kind && found->marks == expected->marks &&
           found->object == expected->object && found->thread == expected->thread &&
           (!has_second(found->kind) || found->value == expected->value) &&
           (!has_third(found->kind) || found->field == expected->field);
}

/* Expects all `count` records, in their order or backward; returns in how many batches. */
static size_t expect_all(uint64_t count, bool backward)
{
    struct reader *reader = NULL;
    struct batch batch = BATCH_EMPTY;
    uint64_t before = backward ? count : 0; /* records before the next batch */
    size_t batches = 0;
    enum status status;
    ok(record_spool_read(&reader, spool, backward, &cause));
    while ((status = reader_next(reader, &batch, &cause)) == STATUS_OK) {
        batches++;
        before -= backward ? batch.count : 0;
        for (size_t i = 0; i < batch.count; i++) {
            struct record expected = sample_record(before + i);
            must(is_same(&batch.records[i], &expected), "record %" PRIu64 " differs",
                 before + i);
        }
        before += backward ? 0 : batch.count;
    }
    cr_expect_eq(status, STATUS_END);
    expect_number(batch.count, 0);
    expect_number(before, backward ? 0 : count);
    batch_free(&batch);
    reader_close(reader);
    return batches;
}

static void expect_round_trip(uint64_t count, size_t least_batches)
{
    open_records(false);
    for (uint64_t i = 0; i < count; i++)
        add(sample_record(i));
    ok(record_spool_finish(spool, &cause));
    size_t batches = expect_all(count, false);
    cr_expect(batches >= least_batches);
    expect_number(expect_all(count, true), batches);
    expect_number(expect_all(count, true), batches);
}

Test(record_spool, an_empty_spool_has_no_batch)
{
    expect_round_trip(0, 0);
}

Test(record_spool, records_are_read_forward_and_backward)
{
    expect_round_trip(1, 1);
    expect_round_trip(100, 1);
    expect_round_trip(100000, 10);
}

/* These records are long, so blocks end because they have 64 KiB. */
Test(record_spool, records_are_read_over_each_border_of_blocks)
{
    for (uint64_t count = 3900; count < 4300; count += 3)
        expect_round_trip(count, 1);
}

/* These records are short, so blocks end because they have 8,192 of them. */
Test(record_spool, a_block_has_a_most_of_records)
{
    for (uint64_t count = 8191; count <= 8193; count++) {
        struct reader *reader = NULL;
        struct batch batch = BATCH_EMPTY;
        open_records(false);
        for (uint64_t i = 0; i < count; i++)
            add((struct record){.kind = RECORD_EXIT, .method = 1, .marks = i % 4});
        ok(record_spool_finish(spool, &cause));
        ok(record_spool_read(&reader, spool, true, &cause));
        ok(reader_next(reader, &batch, &cause));
        expect_number(batch.count, count == 8193 ? 1 : count);
        expect_number(batch.records[batch.count - 1].marks, (count - 1) % 4);
        if (count == 8193)
            ok(reader_next(reader, &batch, &cause));
        cr_expect_eq(reader_next(reader, &batch, &cause), STATUS_END);
        batch_free(&batch);
        reader_close(reader);
    }
}

Test(record_spool, boundaries_keep_explicit_times)
{
    static const uint64_t times[] = {1, 2, 3, 3, 3, 9, 10, UINT64_MAX};
    struct reader *reader = NULL;
    struct batch batch = BATCH_EMPTY;
    open_records(true);
    for (size_t i = 0; i < ITEMS(times); i++) {
        add((struct record){.kind = RECORD_ENTRY, .object = 5, .time = times[i]});
        add((struct record){.kind = RECORD_WITNESS, .object = 5, .time = times[i]});
    }
    ok(record_spool_finish(spool, &cause));
    ok(record_spool_read(&reader, spool, false, &cause));
    cr_expect(reader->explicit_time);
    ok(reader_next(reader, &batch, &cause));
    expect_number(batch.count, 2 * ITEMS(times));
    for (size_t i = 0; i < ITEMS(times); i++)
        expect_number(batch.records[2 * i].time, times[i]);
    batch_free(&batch);
    reader_close(reader);
}

/* Record i of a sequence whose line numbers go up and down by large steps. */
static struct record record_with_details(uint64_t i, uint64_t *first_line)
{
    uint64_t state = i + 1;
    struct record record = sample_record(i);
    record.size = random_below(&state, 2) ? 16 : random_below(&state, UINT64_MAX);
    record.type = random_below(&state, 1000);
    record.site = random_below(&state, 1000) << 40;
    record.length = random_below(&state, 3) ? 0 : UINT64_MAX;
    record.line = (uint32_t)random_below(&state, 1000);
    *first_line = 1 + 1000 * i + (i % 500 == 0 ? UINT64_C(1) << 60 : 0) +
                  (i > 2000 ? UINT64_C(7) << 32 : 0);
    return record;
}

static void expect_details(const struct batch *batch, const struct record *found, uint64_t i)
{
    uint64_t first_line;
    struct record expected = record_with_details(i, &first_line);
    cr_assert_eq(found->kind, expected.kind);
    expect_number(found->object, expected.object);
    if (found->kind == RECORD_ENTRY)
        expect_number(found->method, expected.method);
    if (!record_is_allocation(found->kind))
        return;
    expect_number(found->size, expected.size);
    expect_number(found->type, expected.type);
    expect_number(found->site, expected.site);
    expect_number(found->length, expected.length);
    expect_number(batch->first_line + found->line, first_line + expected.line);
}

Test(record_spool, keeps_details_of_allocations)
{
    enum { COUNT = 20000 };
    struct reader *reader = NULL;
    struct batch batch = BATCH_EMPTY;
    uint64_t first_line, next = 0, allocations = 0;
    open_records(false);
    record_spool_keep_details(spool);
    for (uint64_t i = 0; i < COUNT; i++) {
        struct record record = record_with_details(i, &first_line);
        record_spool_set_line(spool, first_line);
        add(record);
    }
    ok(record_spool_finish(spool, &cause));
    ok(record_spool_read(&reader, spool, false, &cause));
    while (reader_next(reader, &batch, &cause) == STATUS_OK)
        for (size_t i = 0; i < batch.count; i++) {
            expect_details(&batch, &batch.records[i], next++);
            allocations += record_is_allocation(batch.records[i].kind) != 0;
        }
    expect_number(next, COUNT);
    cr_expect(allocations > COUNT / 4);
    batch_free(&batch);
    reader_close(reader);
}

Test(record_spool, has_no_name_in_its_folder)
{
    open_records(false);
    expect_number(scratch_count(), 0);
}

Test(record_spool, says_when_there_is_no_room)
{
    enum status status = STATUS_OK;
    open_records(false);
    limit_files(100);
    for (uint64_t i = 0; i < 100000 && status == STATUS_OK; i++) {
        struct record record = sample_record(i);
        status = record_spool_add(spool, &record, &cause);
    }
    cr_expect_eq(status, STATUS_IO);
}

/* Reads all records of a damaged file, in batches that never exceed a block; returns the
 * status. */
static enum status read_damaged(bool backward)
{
    struct reader *reader = NULL;
    struct batch batch = BATCH_EMPTY;
    enum status status;
    ok(record_spool_read(&reader, spool, backward, &cause));
    while ((status = reader_next(reader, &batch, &cause)) == STATUS_OK)
        cr_assert_leq(batch.count, 65536);
    batch_free(&batch);
    reader_close(reader);
    return status;
}

Test(record_spool, damage_is_found_or_does_no_harm)
{
    static const uint8_t values[] = {0, 1, 15, 0x7f, 0xff};
    unsigned found = 0;
    struct stat facts;
    open_records(false);
    for (uint64_t i = 0; i < 40; i++)
        add(sample_record(i));
    ok(record_spool_finish(spool, &cause));
    int file = unnamed_file();
    cr_assert_eq(fstat(file, &facts), 0);
    for (off_t at = 0; at < facts.st_size; at++) {
        uint8_t before;
        cr_assert_eq(pread(file, &before, 1, at), 1);
        for (size_t i = 0; i < sizeof values; i++) {
            cr_assert_eq(pwrite(file, &values[i], 1, at), 1);
            for (int backward = 0; backward < 2; backward++) {
                enum status status = read_damaged(backward);
                cr_assert(status == STATUS_END || status == STATUS_IO);
                found += status == STATUS_IO;
            }
        }
        cr_assert_eq(pwrite(file, &before, 1, at), 1);
    }
    cr_expect_gt(found, 100);
    cr_expect_eq(read_damaged(false), STATUS_END);
    cr_assert_eq(ftruncate(file, facts.st_size / 2), 0);
    cr_expect_eq(read_damaged(false), STATUS_IO);
    cr_expect_eq(read_damaged(true), STATUS_IO);
}
