/* SPDX-License-Identifier: MIT */
#include "report/oracle/oracle.h"
#include "support.h"

TestSuite(event_list, .fini = scratch_remove);

static struct event_list list;
static struct event_cursor cursor;

static void open_list(void)
{
    char path[PATH_SIZE];
    ok(number_list_open(&list.numbers,
                        &(struct temporary_folder){.path = scratch_path(path, "")}, &cause));
}

static void add_records(struct record *records, size_t count)
{
    ok(event_list_add(&list, &(struct batch){.records = records, .count = count}, &cause));
}

static void open_cursor(void)
{
    ok(number_list_finish(list.numbers, &cause));
    ok(number_cursor_open(&cursor.numbers, list.numbers, &cause));
    cursor.left = list.count;
}

static void close_all(void)
{
    number_cursor_close(cursor.numbers);
    number_list_close(list.numbers);
}

static void expect_event(struct listed_event wanted)
{
    struct listed_event found;
    ok(event_cursor_next(&cursor, &found, &cause));
    expect_number(found.kind, wanted.kind);
    expect_number(found.records, wanted.records);
    expect_number(found.deaths, wanted.deaths);
    expect_number(found.thread, wanted.thread);
}

/* Prior objects and records of other kinds count as records, but are no events. */
Test(event_list, has_allocations_boundaries_and_deaths)
{
    struct record first[] = {
        {.kind = RECORD_INITIAL, .thread = 4},
        {.kind = RECORD_OBJECT, .thread = 7},
        {.kind = RECORD_UPDATE, .thread = 8},
        {.kind = RECORD_ENTRY, .thread = 7},
        {.kind = RECORD_DEATH, .death_thread = UINT64_MAX},
    };
    struct record second[] = {
        {.kind = RECORD_DEATH, .death_thread = 7},
        {.kind = RECORD_ARRAY, .thread = 0},
        {.kind = RECORD_EXCEPTION_EXIT, .thread = 7},
    };
    struct listed_event none;
    open_list();
    add_records(first, ITEMS(first));
    add_records(second, ITEMS(second));
    open_cursor();
    expect_number(list.records, 6);
    expect_event((struct listed_event){EVENT_ALLOCATION, 1, 0, 7});
    expect_event((struct listed_event){EVENT_BOUNDARY, 3, 0, 7});
    expect_event((struct listed_event){EVENT_DEATH, 4, 0, UINT64_MAX});
    expect_event((struct listed_event){EVENT_DEATH, 4, 1, 7});
    expect_event((struct listed_event){EVENT_ALLOCATION, 4, 2, 0});
    expect_event((struct listed_event){EVENT_BOUNDARY, 5, 2, 7});
    cr_expect_eq(event_cursor_next(&cursor, &none, &cause), STATUS_END);
    close_all();
}

/* Between two events there may be any number of records. */
Test(event_list, of_many_records)
{
    enum { BATCHES = 300, RECORDS = 1000 };
    static struct record records[RECORDS];
    for (size_t i = 0; i < RECORDS; i++)
        records[i].kind = RECORD_WITNESS;
    open_list();
    for (size_t i = 0; i < BATCHES; i++) {
        records[i].kind = RECORD_ENTRY;
        add_records(records, RECORDS);
        records[i].kind = RECORD_WITNESS;
    }
    open_cursor();
    for (uint64_t i = 0; i < BATCHES; i++)
        expect_event((struct listed_event){EVENT_BOUNDARY, i * RECORDS + i, 0, 0});
    close_all();
}

Test(event_list, may_be_empty)
{
    struct listed_event none;
    open_list();
    open_cursor();
    cr_expect_eq(event_cursor_next(&cursor, &none, &cause), STATUS_END);
    close_all();
}
