/* SPDX-License-Identifier: MIT */
#include "support.h"

#include <stdlib.h>

static struct passed passed;
static struct deaths deaths;

static void free_all(void)
{
    deaths_free(&deaths);
    pass_free(&passed);
}

TestSuite(deaths, .fini = free_all);

/* Computes the deaths of a trace in which all records are of thread 7. */
static void compute(const char *text, enum unallocated unallocated)
{
    pass(&passed, text, &thread_dialect, HELD_BY_RECEIVER);
    ok(deaths_compute(&deaths, &passed.history, unallocated, &cause));
}

static uint64_t id_of(node_t node)
{
    return objects_id(passed.history.heap.objects, node);
}

/* Object `id` is number `index` of the dead, at tick `tick`. */
static void expect_dead(size_t index, uint64_t id, uint64_t tick)
{
    cr_assert_lt(index, deaths.dead_count);
    expect_number(id_of(deaths.dead[index]), id);
    expect_number(deaths_tick(&deaths, index), tick);
}

static void expect_alive(size_t index, uint64_t id)
{
    cr_assert_lt(index, deaths.alive_count);
    expect_number(id_of(deaths.alive[index]), id);
}

static void expect_counts(size_t dead, size_t alive)
{
    cr_assert_eq(deaths.dead_count, dead, "%zu dead", deaths.dead_count);
    cr_assert_eq(deaths.alive_count, alive, "%zu alive", deaths.alive_count);
}

Test(deaths, an_empty_trace_has_none)
{
    compute("", UNALLOCATED_LAST_USE);
    expect_counts(0, 0);
}

Test(deaths, an_object_dies_at_the_first_boundary_after_its_last_use)
{
    compute("N 10 1 1 1 0 7\n"
            "M 1 0 7\n"
            "E 1 7\n",
            UNALLOCATED_LAST_USE);
    expect_counts(1, 0);
    expect_dead(0, 10, 1);
}

Test(deaths, without_a_boundary_after_its_last_use_an_object_is_alive)
{
    compute("M 1 0 7\n"
            "N 10 1 1 1 0 7\n"
            "E 1 7\n"
            "N 20 1 1 1 0 7\n",
            UNALLOCATED_LAST_USE);
    expect_counts(1, 1);
    expect_dead(0, 10, 2);
    expect_alive(0, 20);
}

Test(deaths, without_any_boundary_all_are_alive)
{
    compute("N 20 1 1 1 0 7\n"
            "N 10 1 1 1 0 7\n",
            UNALLOCATED_LAST_USE);
    expect_counts(0, 2);
    expect_alive(0, 20);
    expect_alive(1, 10);
}

Test(deaths, come_by_boundary_and_then_by_allocation)
{
    compute("N 50 1 1 1 0 7\n"
            "N 40 1 1 1 0 7\n"
            "N 30 1 1 1 0 7\n"
            "N 20 1 1 1 0 7\n"
            "M 1 0 7\n" /* 40 and 20 die */
            "W 30 1 7\n"
            "W 50 1 7\n"
            "M 2 0 7\n", /* 50 and 30 die */
            UNALLOCATED_LAST_USE);
    expect_counts(4, 0);
    expect_dead(0, 40, 1);
    expect_dead(1, 20, 1);
    expect_dead(2, 50, 2);
    expect_dead(3, 30, 2);
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

Test(deaths, an_adopted_object_has_the_place_of_its_allocation)
{
    compute("W 30 1 7\n"
            "N 20 1 1 1 0 7\n"
            "N 30 1 1 1 0 7\n"
            "M 1 0 7\n",
            UNALLOCATED_LAST_USE);
    expect_counts(2, 0);
    expect_dead(0, 20, 1);
    expect_dead(1, 30, 1);
}

Test(deaths, each_object_of_a_repeated_id_has_its_own)
{
    compute("N 10 1 1 1 0 7\n"
            "M 1 0 7\n" /* the first 10 dies */
            "N 10 1 1 1 0 7\n"
            "W 10 1 7\n"
            "M 2 0 7\n", /* the second */
            UNALLOCATED_LAST_USE);
    expect_counts(2, 0);
    expect_dead(0, 10, 1);
    expect_dead(1, 10, 2);
}

Test(deaths, the_old_object_of_a_repeated_id_keeps_what_it_holds)
{
    compute("N 10 1 1 1 0 7\n"
            "N 20 1 1 1 0 7\n"
            "U 0 10 5 7\n"
            "U 10 20 6 7\n"
            "N 10 1 1 1 0 7\n"
            "M 1 0 7\n", /* only the new 10 dies */
            UNALLOCATED_LAST_USE);
    expect_counts(1, 2);
    expect_dead(0, 10, 1);
    cr_expect_eq(deaths.dead[0], 3);
    expect_alive(0, 10);
    expect_alive(1, 20);
}

Test(deaths, unallocated_objects_have_none)
{
    compute("N 10 1 1 1 0 7\n"
            "W 20 1 7\n"
            "M 1 0 7\n",
            UNALLOCATED_LAST_USE);
    expect_counts(1, 0);
    expect_dead(0, 10, 1);
}

Test(deaths, what_immortal_objects_hold_stays_alive)
{
    static const char trace[] = "N 10 1 1 1 0 7\n"
                                "U 20 10 1 7\n"
                                "M 1 0 7\n";
    compute(trace, UNALLOCATED_IMMORTAL);
    expect_counts(0, 1);
    expect_alive(0, 10);
    free_all();
    compute(trace, UNALLOCATED_LAST_USE);
    expect_counts(1, 0);
    expect_dead(0, 10, 1);
}

Test(deaths, receivers_of_open_frames_and_statics_have_none)
{
    compute("N 10 1 1 1 0 7\n"
            "N 20 1 1 1 0 7\n"
            "N 30 1 1 1 0 7\n"
            "U 0 20 5 7\n"
            "M 1 10 7\n"
            "M 2 0 7\n",
            UNALLOCATED_LAST_USE);
    expect_counts(1, 2);
    expect_dead(0, 30, 1);
    expect_alive(0, 10);
    expect_alive(1, 20);
}

Test(deaths, a_container_that_died_holds_what_it_held_then)
{
    compute("N 10 1 1 1 0 7\n"
            "N 20 1 1 1 0 7\n"
            "M 1 0 7\n"
            "U 10 20 5 7\n"
            "M 2 0 7\n" /* 20 has been used for the last time; 10 still refers to it */
            "W 10 1 7\n"
            "M 3 0 7\n", /* both die */
            UNALLOCATED_LAST_USE);
    expect_counts(2, 0);
    expect_dead(0, 10, 3);
    expect_dead(1, 20, 3);
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
