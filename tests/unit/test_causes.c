/* SPDX-License-Identifier: MIT */
/* Groups of deaths and their causes. The golden cases of --lifetimes and --groups test which
 * cause and group each object has. */
#include "merlin/lives/causes.h"
#include "support.h"

static struct passed passed;
static struct deaths deaths;
static struct causes causes;
static struct interrupt interrupt = {.descriptor = -1};

static void free_all(void)
{
    causes_free(&causes);
    deaths_free(&deaths);
    passed_free(&passed);
}

TestSuite(causes, .fini = free_all);

/* Does pass 1 of the trace, with life records, and computes its deaths. */
static void compute(const char *text)
{
    struct batch batch = BATCH_EMPTY;
    passed.source = source_from(text);
    ok(formats_open_reader(&passed.reader, passed.source, &thread_dialect, &cause));
    ok(pass_init(&passed.pass, HELD_BY_RECEIVER, false, &cause));
    const struct recorders_options recording = {.has_windows = false};
    ok(recorders_open(&passed.pass, &recording, &cause));
    while (reader_next(passed.reader, &batch, &cause) == STATUS_OK)
        ok(pass_add(&passed.pass, &batch, &cause));
    batch_free(&batch);
    passed.pass.interrupt = &interrupt;
    ok(deaths_compute(&deaths, &passed.pass, UNALLOCATED_LAST_USE, &cause));
}

/* 10 and 11 refer to each other and die together; 12 refers to itself. */
static const char two_groups[] = "N 10 1 1 1 0 7\n"
                                 "N 11 1 1 1 0 7\n"
                                 "N 12 1 1 1 0 7\n"
                                 "U 11 10 1 7\n"
                                 "U 10 11 1 7\n"
                                 "M 1 0 7\n"
                                 "M 2 12 7\n"
                                 "E 2 7\n"
                                 "E 1 7\n";

Test(causes, a_cycle_is_a_group_and_has_one_key)
{
    compute(two_groups);
    ok(causes_find(&causes, &deaths, &cause));
    expect_number(causes.group_count, 1);
    node_t key = causes.groups[0].key;
    expect_number(causes.groups[0].objects, 2);
    expect_number(causes.groups[0].bytes, 2);
    cr_expect(causes.groups[0].has_cycle);
    cr_expect_eq(causes_group(&causes, key), &causes.groups[0]);
    expect_number(causes.keys[key], key);
    cr_expect_eq(causes_of(&causes, key), CAUSE_USE);
    expect_number(causes.keys[3 - key], key);
    cr_expect_eq(causes_of(&causes, 3 - key), CAUSE_CONTAINER);
    cr_expect_null(causes_group(&causes, 3));
    cr_expect_not(causes_has_cycle(&causes, 3));
}

Test(causes, the_search_stops_when_asked_to)
{
    compute(two_groups);
    interrupt.signal = 15;
    cr_expect_eq(causes_find(&causes, &deaths, &cause), STATUS_INTERRUPTED);
}
