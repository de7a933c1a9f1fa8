/* SPDX-License-Identifier: MIT */
/* Nodes 1, 2 and 3 have one id, and are born at the ticks 1, 3 and 5; record 10 * t is the
 * first at tick t, its boundary. */
#include "merlin/propagation.h"
#include "merlin/recorders/input_deaths.h"
#include "support.h"

#include <stdlib.h>

static struct input_deaths deaths;
static struct proof uses[4];
static uint64_t number;

static void release(void)
{
    input_deaths_free(&deaths);
}

static void begin(void)
{
    ok(input_deaths_reserve(&deaths, 4, &cause));
    for (node_t node = 1; node <= 3; node++) {
        uint64_t tick = 2 * node - 1;
        deaths.births[node] = tick;
        uses[node] = (struct proof){10 * tick + 1, tick};
    }
    ok(input_deaths_repeat(&deaths, 2, 1, &cause));
    ok(input_deaths_repeat(&deaths, 3, 2, &cause));
}

TestSuite(input_deaths, .init = begin, .fini = release);

/* The next death, of the id that means `node`, has the time of tick `timed` and stands after
 * record number `record` of tick record / 10. */
static void die(node_t node, uint64_t timed, uint64_t record)
{
    const struct input_death death = {
        .at = {timed, death_place(record, record % 10 == 0)},
        .number = ++number,
    };
    ok(input_deaths_position(&deaths, record / 10, record, &cause));
    ok(input_deaths_add(&deaths, node, &death, &cause));
}

/* The three nodes have these deaths, by number; 0: none. */
static void expect_deaths(uint64_t first, uint64_t second, uint64_t third)
{
    expect_number(deaths.deaths[1].number, first);
    expect_number(deaths.deaths[2].number, second);
    expect_number(deaths.deaths[3].number, third);
}

static void settle_until(uint64_t last_record, bool by_position, const uint64_t *last_reached)
{
    static const struct clock clock = {.now = 9};
    const struct death_evidence evidence = {.uses = uses,
                                            .last_reached = last_reached,
                                            .clock = &clock,
                                            .last_record = last_record,
                                            .by_position = by_position};
    ok(input_deaths_settle(&deaths, &evidence, &cause));
}

static void settle(bool by_position, const uint64_t *last_reached)
{
    settle_until(99, by_position, last_reached);
}

Test(input_deaths, are_of_the_latest_allocation_without_one)
{
    die(3, 6, 60);
    die(3, 7, 70);
    die(3, 8, 80);
    die(3, 8, 81); /* none is left */
    settle(false, NULL);
    expect_deaths(3, 2, 1);
}

Test(input_deaths, are_of_allocations_that_are_not_used_after_them)
{
    die(3, 6, 60);
    uses[3] = (struct proof){75, 7};
    uses[2] = (struct proof){65, 6};
    settle(false, NULL);
    expect_deaths(1, 0, 0);
}

/* A use by the record before a death is none after it; at a boundary, that of the boundary's
 * own record is. */
Test(input_deaths, know_what_follows_within_a_tick)
{
    uses[3] = (struct proof){61, 6};
    uses[2] = (struct proof){60, 6};
    die(3, 6, 61);
    die(3, 6, 60);
    settle(false, NULL);
    expect_deaths(2, 0, 1);
}

/* The first one has no other object; it takes the latest that is left, not the only one that is
 * not used after the second. */
Test(input_deaths, take_a_used_object_only_if_nothing_else_is_left)
{
    die(3, 6, 60);
    die(3, 8, 80);
    uses[1] = uses[2] = (struct proof){85, 8};
    uses[3] = (struct proof){75, 7};
    settle(false, NULL);
    expect_deaths(0, 1, 2);
}

Test(input_deaths, are_of_what_dies_then_by_computation)
{
    static const uint64_t last_reached[] = {0, 5, NEVER, 7};
    die(3, 6, 60);
    die(3, 8, 80);
    settle(false, last_reached);
    expect_deaths(1, 0, 2);
}

/* Deaths of one tick go to what dies then in the order of both, and the one beyond is no death
 * of another object. */
Test(input_deaths, of_one_tick_are_given_in_order)
{
    static const uint64_t last_reached[] = {0, 7, NEVER, 7};
    die(3, 8, 80);
    die(3, 8, 80);
    die(3, 8, 80);
    settle(false, last_reached);
    expect_deaths(1, 0, 2);
}

/* Deaths whose times are of earlier boundaries, in any order. */
Test(input_deaths, that_come_late_are_of_allocations_before_their_times)
{
    die(3, 4, 90);
    die(3, 2, 90);
    die(3, 6, 90);
    settle(false, NULL);
    expect_deaths(2, 1, 3);
}

Test(input_deaths, that_come_late_at_one_tick_are_given_to_the_latest_first)
{
    die(3, 4, 90);
    die(3, 4, 90);
    settle(false, NULL);
    expect_deaths(2, 1, 0);
    expect_number(deaths.deaths[2].at.tick, 4);
}

/* No other allocation has the time of the second one before it. */
Test(input_deaths, that_come_late_are_not_of_what_is_allocated_later)
{
    die(3, 2, 90);
    die(3, 2, 90);
    settle(false, NULL);
    expect_deaths(1, 0, 0);
}

Test(input_deaths, before_all_allocations_are_of_the_latest_before_the_record)
{
    deaths.births[1] = deaths.births[2] = deaths.births[3] = 5;
    die(2, 4, 50);
    settle(false, NULL);
    expect_deaths(0, 1, 0);
}

Test(input_deaths, are_by_position_where_times_do_not_count)
{
    die(2, 2, 40);
    die(3, 2, 60);
    settle(true, NULL);
    expect_deaths(0, 1, 2);
    expect_number(deaths.deaths[2].at.tick, 4);
    expect_number(deaths.deaths[3].at.tick, 6);
}

/* The uses by the last boundary are no proof against its time, which may mean the end. */
Test(input_deaths, at_the_last_boundary_may_be_at_the_end)
{
    uses[3] = (struct proof){90, 9};
    die(3, 9, 90);
    settle_until(90, false, NULL);
    expect_deaths(0, 0, 1);
}

/* Deaths are shared as soon as one is of an id that several objects have. */
Test(input_deaths, that_are_shared_matter)
{
    cr_expect(!input_deaths_are_shared(&deaths));
    die(1, 2, 20);
    cr_expect(input_deaths_are_shared(&deaths));
}

/* If each death walked the allocations of its id, this would take hours. */
Test(input_deaths, of_a_million_allocations_of_one_id)
{
    enum { COUNT = 1000000 };
    static const struct clock clock = {.now = 2 * COUNT};
    input_deaths_free(&deaths);
    ok(input_deaths_reserve(&deaths, COUNT + 1, &cause));
    struct proof *million = calloc(COUNT + 1, sizeof *million);
    must(million, "no memory");
    for (node_t node = 1; node <= COUNT; node++) {
        deaths.births[node] = node;
        million[node] = (struct proof){node, node};
        if (node > 1)
            ok(input_deaths_repeat(&deaths, node, node - 1, &cause));
    }
    for (uint64_t i = 1; i <= COUNT; i++) {
        struct input_death death = {.at = {i % 2 ? i : 2 * COUNT - i, PLACE_AT_TICK},
                                    .number = i};
        ok(input_deaths_position(&deaths, 2 * COUNT, 3 * COUNT, &cause));
        ok(input_deaths_add(&deaths, COUNT, &death, &cause));
    }
    const struct death_evidence evidence = {
        .uses = million, .clock = &clock, .last_record = 3 * COUNT};
    ok(input_deaths_settle(&deaths, &evidence, &cause));
    size_t dead = 0;
    for (node_t node = 1; node <= COUNT; node++)
        dead += deaths.deaths[node].number > 0;
    expect_number(dead, COUNT);
    free(million);
}
