/* SPDX-License-Identifier: MIT */
/* Deaths in a file, as windows store them. */
#include "merlin/deaths.h"
#include "support.h"

TestSuite(stored_deaths, .fini = scratch_remove);

static void expect_back(const struct death *deaths, size_t count)
{
    char path[PATH_SIZE];
    struct deaths stored = {.stored = NULL};
    struct death_cursor *cursor = NULL;
    struct death found;
    ok(stored_deaths_open(&stored.stored,
                          &(struct temporary_folder){.path = scratch_path(path, "")}, &cause));
    for (size_t i = 0; i < count; i++)
        ok(stored_deaths_add(stored.stored, &deaths[i], &cause));
    ok(stored_deaths_finish(&stored, &cause));
    expect_number(stored.dead_count + stored.alive_count, count);
    ok(death_cursor_open(&cursor, &stored, &cause));
    for (size_t i = 0; i < count; i++) {
        ok(death_cursor_next(cursor, &found, &cause));
        expect_number(found.tick, deaths[i].tick);
        expect_number(found.time, deaths[i].time);
        expect_number(found.object, deaths[i].object);
        expect_number(found.thread, deaths[i].thread);
        cr_expect_eq(found.survives, deaths[i].survives);
    }
    cr_expect_eq(death_cursor_next(cursor, &found, &cause), STATUS_END);
    cr_expect_eq(death_cursor_next(cursor, &found, &cause), STATUS_END);
    death_cursor_close(cursor);
    deaths_free(&stored);
}

Test(stored_deaths, none_are_allowed)
{
    expect_back(NULL, 0);
}

Test(stored_deaths, all_that_a_record_needs_comes_back)
{
    static const struct death deaths[] = {
        {.tick = 1, .time = 1, .object = 7, .thread = 0},
        {.tick = 1, .time = 1, .object = UINT64_MAX, .thread = 9},
        {.tick = 5, .time = 5, .object = 7, .thread = 9},
        {.tick = 5, .time = 5, .object = 8, .thread = UINT64_MAX},
        {.tick = 900000, .time = 900000, .object = 1, .thread = 0},
        {.tick = 900001, .time = 900001, .object = 1, .thread = 0, .survives = true},
        {.tick = 900001, .time = 900001, .object = 2, .thread = 3, .survives = true},
    };
    expect_back(deaths, ITEMS(deaths));
}

Test(stored_deaths, times_need_not_be_ticks)
{
    static const struct death deaths[] = {
        {.tick = 1, .time = 100, .object = 1},        {.tick = 2, .time = 100, .object = 2},
        {.tick = 2, .time = 100, .object = 3},        {.tick = 3, .time = 101, .object = 4},
        {.tick = 9, .time = UINT64_MAX, .object = 5},
    };
    expect_back(deaths, ITEMS(deaths));
}
