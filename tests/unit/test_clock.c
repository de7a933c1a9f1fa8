/* SPDX-License-Identifier: MIT */
#include "merlin/clock.h"
#include "support.h"

static struct clock clock_;

static void free_clock(void)
{
    clock_free(&clock_);
}

TestSuite(clock, .fini = free_clock);

static void tick_at(uint64_t time)
{
    ok(clock_tick_at(&clock_, time, &cause));
}

Test(clock, begins_at_0)
{
    expect_number(clock_.now, 0);
    expect_number(clock_time(&clock_, 0), 0);
}

Test(clock, without_explicit_times_a_tick_is_its_time)
{
    for (int i = 0; i < 3; i++)
        clock_tick(&clock_);
    expect_number(clock_.now, 3);
    expect_number(clock_time(&clock_, 0), 0);
    expect_number(clock_time(&clock_, 1), 1);
    expect_number(clock_time(&clock_, 3), 3);
}

/* Expects that tick i has the time times[i]. */
static void expect_times(const uint64_t *times, size_t count)
{
    for (size_t i = 0; i < count; i++)
        tick_at(times[i]);
    expect_number(clock_.now, count);
    expect_number(clock_time(&clock_, 0), 0);
    for (size_t i = 0; i < count; i++)
        expect_number(clock_time(&clock_, i + 1), times[i]);
}

Test(clock, times_that_count_up_from_1)
{
    static const uint64_t times[] = {1, 2, 3, 4, 5};
    expect_times(times, ITEMS(times));
}

Test(clock, times_that_start_late_and_jump)
{
    static const uint64_t times[] = {100, 101, 102, 200, 201, 500, 1000, 1001};
    expect_times(times, ITEMS(times));
}

Test(clock, times_that_repeat)
{
    static const uint64_t times[] = {0, 0, 0, 1, 1, 2, 3, 3, 3, 9, 9};
    expect_times(times, ITEMS(times));
}

Test(clock, times_up_to_the_largest)
{
    static const uint64_t times[] = {0, UINT64_MAX - 1, UINT64_MAX, UINT64_MAX};
    expect_times(times, ITEMS(times));
}

Test(clock, random_times_are_all_kept)
{
    enum { COUNT = 20000 };
    static uint64_t times[COUNT];
    uint64_t seed = 1, time = 0;
    for (size_t i = 0; i < COUNT; i++) {
        time += random_below(&seed, 5) ? 1 : random_below(&seed, 4);
        times[i] = time;
        tick_at(time);
        must(clock_time(&clock_, clock_.now) == time, "tick %zu", i + 1);
    }
    for (size_t i = 0; i < COUNT; i++)
        must(clock_time(&clock_, i + 1) == times[i], "tick %zu", i + 1);
}

Test(clock, is_at_0_again_after_it_was_freed)
{
    tick_at(5);
    tick_at(9);
    clock_free(&clock_);
    expect_number(clock_.now, 0);
    tick_at(1);
    expect_number(clock_time(&clock_, 1), 1);
}

Test(clock, boundaries_that_share_a_time_take_no_room)
{
    for (unsigned i = 0; i < 1000; i++)
        tick_at(7);
    for (unsigned i = 0; i < 1000; i++)
        tick_at(8 + i);
    cr_expect_leq(clock_.run_count, 2);
    expect_number(clock_time(&clock_, 1000), 7);
    expect_number(clock_time(&clock_, 1001), 8);
    expect_number(clock_time(&clock_, 2000), 1007);
}

Test(clock, what_was_forgotten_takes_no_room)
{
    for (unsigned i = 1; i <= 1000; i++) {
        tick_at(10 * i);
        clock_forget(&clock_);
        expect_number(clock_time(&clock_, i), 10 * i);
    }
    cr_expect_eq(clock_.run_count, 1);
    tick_at(10001);
    expect_number(clock_time(&clock_, 1000), 10000);
    expect_number(clock_time(&clock_, 1001), 10001);
}
