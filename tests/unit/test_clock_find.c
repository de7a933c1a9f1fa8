/* SPDX-License-Identifier: MIT */
#include "merlin/clock.h"
#include "support.h"

static struct clock clock_;

static void free_clock(void)
{
    clock_free(&clock_);
}

TestSuite(clock_find, .fini = free_clock);

static void expect_ticks(uint64_t time, uint64_t first, uint64_t last)
{
    uint64_t found_first, found_last;
    clock_find(&clock_, time, &found_first, &found_last);
    expect_number(found_first, first);
    expect_number(found_last, last);
}

Test(clock_find, without_explicit_times_a_time_is_its_tick)
{
    clock_tick(&clock_);
    expect_ticks(0, 0, 0);
    expect_ticks(1, 1, 1);
    expect_ticks(UINT64_MAX, UINT64_MAX, UINT64_MAX);
}

Test(clock_find, times_that_jump_and_repeat)
{
    static const uint64_t times[] = {4, 5, 5, 5, 9, 12, 12};
    for (size_t i = 0; i < ITEMS(times); i++)
        ok(clock_tick_at(&clock_, times[i], &cause));
    expect_ticks(0, 0, 0);
    expect_ticks(3, 1, 1);
    expect_ticks(4, 1, 1);
    expect_ticks(5, 2, 4);
    expect_ticks(6, 5, 5);
    expect_ticks(9, 5, 5);
    expect_ticks(11, 6, 6);
    expect_ticks(12, 6, 7);
    expect_ticks(15, 10, 10);
}

Test(clock_find, a_tick_that_cannot_be_counted_is_the_last_one)
{
    ok(clock_tick_at(&clock_, 0, &cause));
    ok(clock_tick_at(&clock_, 0, &cause));
    expect_ticks(UINT64_MAX, UINT64_MAX, UINT64_MAX);
}
