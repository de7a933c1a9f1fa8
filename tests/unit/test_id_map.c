/* SPDX-License-Identifier: MIT */
#include "base/id_map.h"
#include "base/map.h"
#include "support.h"

Test(id_map, an_empty_map_has_nothing_to_take)
{
    struct id_map map = {.slots = NULL};
    id_map_prefetch(&map, 5);
    expect_number(id_map_take(&map, 5), 0);
    id_map_free(&map);
}

Test(id_map, a_new_number_is_0_and_an_old_one_stays)
{
    struct id_map map = {.slots = NULL};
    uint64_t *number = id_map_insert(&map, UINT64_MAX);
    cr_assert_not_null(number);
    expect_number(*number, 0);
    *number = UINT64_MAX;
    number = id_map_insert(&map, UINT64_MAX);
    cr_assert_not_null(number);
    expect_number(*number, UINT64_MAX);
    expect_number(id_map_take(&map, UINT64_MAX), UINT64_MAX);
    expect_number(id_map_take(&map, UINT64_MAX), 0);
    id_map_free(&map);
}

/* Inserts an id into both maps, or removes it from both, and compares the results. */
static bool do_in_both(struct id_map *map, struct map *other, uint64_t id, uint64_t number,
                       bool take)
{
    uint64_t *expected = map_insert(other, id);
    cr_assert_not_null(expected);
    if (take) {
        uint64_t had = *expected;
        *expected = 0;
        return id_map_take(map, id) == had;
    }
    uint64_t *found = id_map_insert(map, id);
    cr_assert_not_null(found);
    bool same = *found == *expected;
    *found = *expected = number;
    return same;
}

/* The ids are few at first and many at the end, and come and go again and again. */
Test(id_map, random_operations_do_as_a_judy_array)
{
    struct id_map map = {.slots = NULL};
    struct map other = {.root = NULL};
    uint64_t seed = 1;
    for (uint64_t i = 1; i <= 400000; i++) {
        uint64_t id = 1 + random_below(&seed, 10 + i / 40) * 4096;
        bool take = random_below(&seed, 5) < 2;
        must(do_in_both(&map, &other, id, i, take), "operation %" PRIu64 " differs", i);
    }
    uint64_t id = 0, left = 0;
    for (const uint64_t *number = map_first(&other, &id); number;
         number = map_next(&other, &id))
        if (*number != 0) {
            must(id_map_take(&map, id) == *number, "%" PRIu64 " has another number", id);
            left++;
        }
    cr_expect_gt(left, 1000);
    expect_number(map.used, 0);
    map_free(&other);
    id_map_free(&map);
}

#ifndef SANITIZED
Test(id_map, room_that_cannot_be_had_is_a_failure_and_the_map_stays)
{
    struct id_map map = {.slots = NULL};
    uint64_t id = 0, *number;
    /* The map grows until its slots take whole pages, and is filled to three quarters. */
    while (map.capacity < 128 * 1024 || map.used < map.capacity / 4 * 3) {
        number = id_map_insert(&map, ++id);
        cr_assert_not_null(number);
        *number = 2 * id;
    }
    if (limit_memory(1))
        cr_expect_null(id_map_insert(&map, id + 1));
    for (uint64_t i = 1; i <= id; i++)
        must(id_map_take(&map, i) == 2 * i, "%" PRIu64 " has another number", i);
    expect_number(map.used, 0);
    id_map_free(&map);
}
#endif

Test(id_map, is_empty_and_usable_after_it_was_freed)
{
    struct id_map map = {.slots = NULL};
    uint64_t *number = id_map_insert(&map, 10);
    cr_assert_not_null(number);
    *number = 3;
    id_map_free(&map);
    expect_number(id_map_take(&map, 10), 0);
    number = id_map_insert(&map, 10);
    cr_assert_not_null(number);
    expect_number(*number, 0);
    id_map_free(&map);
}
