/* SPDX-License-Identifier: MIT */
#include "support.h"

#include <stdlib.h>

static struct passed passed;
static struct deaths deaths;

static void free_all(void)
{
    deaths_free(&deaths);
    passed_free(&passed);
}

TestSuite(deaths, .fini = free_all);

/* Computes the deaths of a trace in which all records are of thread 7. */
static void compute(const char *text, enum unallocated unallocated)
{
    pass(&passed, text, &thread_dialect, HELD_BY_RECEIVER);
    ok(deaths_compute(&deaths, &passed.pass, unallocated, &cause));
}

Test(deaths, a_cursor_walks_the_dead_by_tick_and_then_what_survives)
{
    compute("N 10 1 1 1 0 7\n"
            "N 20 1 1 1 0 7\n"
            "N 30 1 1 1 0 7\n"
            "M 1 0 7\n" /* 10 and 20 die */
            "W 30 1 7\n"
            "M 2 0 7\n" /* 30 dies */
            "M 3 0 7\n"
            "N 40 1 1 1 0 7\n",
            UNALLOCATED_LAST_USE);
    static const struct death expected[] = {
        {.tick = 1, .object = 10},
        {.tick = 1, .object = 20},
        {.tick = 2, .object = 30},
        {.tick = 3, .object = 40, .survives = true},
    };
    struct death_cursor *cursor;
    struct death death;
    ok(death_cursor_open(&cursor, &deaths, &cause));
    for (size_t i = 0; i < ITEMS(expected); i++) {
        ok(death_cursor_next(cursor, &death, &cause));
        expect_number(death.tick, expected[i].tick);
        expect_number(death.time, expected[i].tick);
        expect_number(death.object, expected[i].object);
        expect_number(death.thread, 7);
        cr_expect_eq(death.survives, expected[i].survives);
    }
    cr_expect_eq(death_cursor_next(cursor, &death, &cause), STATUS_END);
    cr_expect_eq(death_cursor_next(cursor, &death, &cause), STATUS_END);
    death_cursor_close(cursor);
}

Test(deaths, a_cursor_walks_the_ticks_at_which_something_dies)
{
    compute("N 10 1 1 1 0 7\n"
            "N 20 1 1 1 0 7\n"
            "N 30 1 1 1 0 7\n"
            "M 1 0 7\n" /* 10 and 20 die */
            "W 30 1 7\n"
            "M 2 0 7\n"
            "W 30 1 7\n"
            "M 3 0 7\n" /* 30 dies */
            "N 40 1 1 1 0 7\n",
            UNALLOCATED_LAST_USE);
    expect_death_ticks(&deaths, 1, 3);
}

Test(deaths, a_record_names_the_allocating_thread_or_the_given_one)
{
    static const uint64_t given = 99;
    compute("N 10 1 1 1 0 7\nN 20 1 1 1 0 8\nM 1 0 7\n", UNALLOCATED_LAST_USE);
    struct death death = deaths_at(&deaths, 1);
    death.time = 5;
    struct record record = death_record(&death, NULL);
    cr_expect_eq(record.kind, RECORD_DEATH);
    expect_number(record.object, 20);
    expect_number(record.death_thread, 8);
    expect_number(record.time, 5);
    record = death_record(&death, &given);
    expect_number(record.death_thread, 99);
}
