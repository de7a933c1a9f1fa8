/* SPDX-License-Identifier: MIT */
#include "merlin/life_records.h"
#include "support.h"

/* The number that these tests give to the record of a death at `tick`. */
#define NUMBER_OF(tick) ((uint64_t)(tick) / 2 + 100)

Test(records, have_the_last_use_and_count_up_to_the_most)
{
    struct life_records records = {.uses = NULL};
    ok(life_records_reserve(&records, 3, &cause));
    expect_number(life_records_use_count(&records, 1), 0);
    for (unsigned i = 0; i < USES_MAX + 5; i++) {
        cr_expect_eq(life_records_use_count(&records, 1), i < USES_MAX ? i : USES_MAX);
        enum use use = (enum use[]){USE_NAMED, USE_OVERWRITTEN, USE_STATIC}[i % 3];
        life_records_use(&records, 1, use, 0);
        cr_expect_eq(life_records_last_use(&records, 1), use);
    }
    life_records_use(&records, 2, USE_NAMED, 0);
    life_records_use(&records, 2, USE_POPPED, 0);
    cr_expect_eq(life_records_last_use(&records, 2), USE_POPPED);
    expect_number(life_records_use_count(&records, 2), 1);
    life_records_free(&records);
}

/* Allocations 0, 1 and 2 are nodes 2, 1 and 4, of which 1 is released, with 3. */
Test(records, move_with_their_nodes)
{
    static const node_t allocations[] = {2, 1, 4}, moved[] = {0, 0, 1, 0, 2};
    struct life_records records = {.keeps_first_uses = true};
    ok(life_records_reserve(&records, 5, &cause));
    for (node_t node = 1; node < 5; node++)
        for (node_t use = 0; use <= node; use++)
            life_records_use(&records, node, USE_NAMED, 10 * node + use);
    life_records_use(&records, 4, USE_STATIC, 99);
    ok(life_records_birth(&records, 7, 100, &cause));
    ok(life_records_birth(&records, 8, 30, &cause));
    ok(life_records_birth(&records, 9, 5, &cause));
    ok(life_records_move(&records, allocations, moved, 5, &cause));
    expect_number(life_records_use_count(&records, 1), 3);
    expect_number(life_records_use_count(&records, 2), 6);
    cr_expect_eq(life_records_last_use(&records, 2), USE_STATIC);
    expect_number(records.first_uses[1], 21);
    expect_number(records.first_uses[2], 41);
    expect_number(life_records_use_count(&records, 3), 0);
    expect_number(life_records_use_count(&records, 4), 0);
    expect_number(life_records_size(&records, 0), 100);
    expect_number(life_records_size(&records, 1), 5);
    ok(life_records_birth(&records, 9, 4, &cause));
    expect_number(life_records_size(&records, 2), 4);
    life_records_free(&records);
}

Test(records, stay_when_room_is_made_for_more)
{
    struct life_records records = {.keeps_deaths = true};
    for (node_t node = 1; node < 1000; node++) {
        ok(life_records_reserve(&records, node + 1, &cause));
        must(life_records_use_count(&records, node) == 0, "node %u has uses", node);
        must(!records.deaths[node].is_dead, "node %u has a death", node);
        life_records_die(&records, node, node, NUMBER_OF(node));
        life_records_use(&records, node, USE_STATIC, 0);
    }
    for (node_t node = 1; node < 1000; node++)
        must(life_records_use_count(&records, node) == 1 && records.deaths[node].is_dead &&
                 records.deaths[node].tick == node &&
                 records.deaths[node].number == NUMBER_OF(node),
             "node %u", node);
    life_records_free(&records);
}

/* Nodes 1, 2 and 3 have the same id, one after the other. */
static void make_repeated(struct life_records *records)
{
    *records = (struct life_records){.keeps_deaths = true};
    ok(life_records_reserve(records, 5, &cause));
    life_records_repeat(records, 2, 1);
    life_records_repeat(records, 3, 2);
}

static void expect_death(const struct life_death *death, uint64_t tick)
{
    expect_number(death->is_dead ? death->tick : 0, tick);
    if (death->is_dead)
        expect_number(death->number, NUMBER_OF(death->tick));
}

static void expect_deaths(const struct life_records *records, uint64_t first, uint64_t second,
                          uint64_t third)
{
    const struct life_death *deaths = records->deaths;
    expect_death(&deaths[1], first);
    expect_death(&deaths[2], second);
    expect_death(&deaths[3], third);
}

Test(records, deaths_of_a_repeated_id_are_of_the_latest_that_lives)
{
    struct life_records records;
    make_repeated(&records);
    life_records_die(&records, 3, 7, NUMBER_OF(7));
    life_records_die(&records, 3, 8, NUMBER_OF(8));
    expect_deaths(&records, 0, 8, 7);
    life_records_die(&records, 3, 9, NUMBER_OF(9));
    life_records_die(&records, 3, 10, NUMBER_OF(10)); /* none is left */
    expect_deaths(&records, 9, 8, 7);
    life_records_free(&records);
}

Test(records, a_use_gives_the_death_to_an_older_allocation)
{
    struct life_records records;
    make_repeated(&records);
    life_records_revive(&records, 3); /* it is not dead */
    life_records_die(&records, 3, 7, NUMBER_OF(7));
    life_records_revive(&records, 3);
    expect_deaths(&records, 0, 7, 0);
    life_records_die(&records, 3, 8, NUMBER_OF(8));
    life_records_revive(&records, 3);
    expect_deaths(&records, 8, 7, 0);
    life_records_die(&records, 3, 9, NUMBER_OF(9));
    life_records_revive(&records, 3); /* no older one is left */
    life_records_revive(&records, 2);
    expect_deaths(&records, 8, 7, 9);
    life_records_free(&records);
}

Test(records, a_new_allocation_comes_before_those_that_are_left)
{
    struct life_records records;
    make_repeated(&records);
    life_records_die(&records, 3, 7, NUMBER_OF(7));
    life_records_repeat(&records, 4, 3);
    life_records_revive(&records, 3); /* the id does not mean it any more */
    life_records_die(&records, 4, 8, NUMBER_OF(8));
    life_records_die(&records, 4, UINT64_MAX, NUMBER_OF(UINT64_MAX));
    expect_deaths(&records, 0, UINT64_MAX, 7);
    expect_number(records.deaths[4].tick, 8);
    life_records_free(&records);
}

/* Deaths that come later than their ticks, in any order, belong to allocations before these. */
Test(records, late_deaths_are_of_allocations_before_them)
{
    struct life_records records;
    make_repeated(&records);
    for (node_t node = 1; node <= 3; node++)
        records.births[node] = 2 * node - 1;
    ok(life_records_die_late(&records, 3, 4, NUMBER_OF(4), &cause));
    ok(life_records_die_late(&records, 3, 2, NUMBER_OF(2), &cause));
    ok(life_records_die_late(&records, 3, 6, NUMBER_OF(6), &cause));
    life_records_settle(&records);
    expect_deaths(&records, 2, 4, 6);
    life_records_free(&records);
}

Test(records, a_late_death_before_all_allocations_is_of_the_latest)
{
    struct life_records records;
    make_repeated(&records);
    for (node_t node = 1; node <= 3; node++)
        records.births[node] = 10;
    ok(life_records_die_late(&records, 3, 4, NUMBER_OF(4), &cause));
    life_records_revive(&records, 3); /* settles: the id is used after its death */
    expect_deaths(&records, 0, 4, 0);
    life_records_free(&records);
}

Test(records, count_bytes_to_2_to_the_64)
{
    struct life_records records = {.uses = NULL};
    ok(life_records_birth(&records, 1, 0, &cause));
    ok(life_records_birth(&records, 5, UINT64_MAX - 3, &cause));
    ok(life_records_birth(&records, 5, 3, &cause));
    expect_number(life_records_size(&records, 0), 0);
    expect_number(life_records_size(&records, 1), UINT64_MAX - 3);
    expect_number(life_records_size(&records, 2), 3);
    expect_number(ascending_at(&records.birth_bytes, 2), UINT64_MAX);
    expect_number(ascending_at(&records.birth_ticks, 2), 5);
    expect_failure(life_records_birth(&records, 6, 1, &cause), STATUS_LIMIT, 0,
                   "The trace allocates more than 2^64-1 bytes: reports cannot count them");
    expect_number(records.birth_ticks.count, 3);
    life_records_free(&records);
}
