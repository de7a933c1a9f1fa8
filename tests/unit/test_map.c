/* SPDX-License-Identifier: MIT */
#include "base/map.h"
#include "support.h"

Test(map, a_key_without_a_value_has_none)
{
    struct map map = {.root = NULL};
    cr_expect_null(map_find(&map, 0));
    cr_assert_not_null(map_insert(&map, 5));
    cr_expect_null(map_find(&map, 4));
    cr_expect_null(map_find(&map, UINT64_MAX));
    map_free(&map);
}

Test(map, a_new_value_is_0_and_an_old_one_stays)
{
    struct map map = {.root = NULL};
    uint64_t *value = map_insert(&map, 5);
    cr_assert_not_null(value);
    expect_number(*value, 0);
    *value = UINT64_MAX;
    cr_assert_not_null(map_insert(&map, 6));
    value = map_insert(&map, 5);
    cr_assert_not_null(value);
    expect_number(*value, UINT64_MAX);
    value = map_find(&map, 5);
    cr_assert_not_null(value);
    expect_number(*value, UINT64_MAX);
    map_free(&map);
}

Test(map, a_key_that_was_removed_is_gone)
{
    struct map map = {.root = NULL};
    cr_assert_not_null(map_insert(&map, 5));
    cr_assert_not_null(map_insert(&map, 6));
    map_remove(&map, 5);
    map_remove(&map, 7);
    cr_expect_null(map_find(&map, 5));
    cr_expect_not_null(map_find(&map, 6));
    map_free(&map);
}

Test(map, keeps_many_scattered_keys)
{
    struct map map = {.root = NULL};
    uint64_t seed = 1;
    for (uint64_t i = 0; i < 50000; i++) {
        uint64_t *value = map_insert(&map, random_below(&seed, UINT64_MAX));
        must(value, "no memory");
        *value = i;
    }
    seed = 1;
    for (uint64_t i = 0; i < 50000; i++) {
        uint64_t *value = map_find(&map, random_below(&seed, UINT64_MAX));
        must(value && *value == i, "key %" PRIu64 " has lost its value", i);
    }
    map_free(&map);
}

Test(map, walks_in_ascending_order)
{
    static const uint64_t sorted[] = {0, 1, 255, 256, 1000000, UINT64_MAX - 1, UINT64_MAX};
    struct map map = {.root = NULL};
    for (size_t i = ITEMS(sorted); i-- > 0;) {
        uint64_t *value = map_insert(&map, sorted[i]);
        cr_assert_not_null(value);
        *value = i;
    }
    uint64_t key = 0;
    uint64_t *value = map_first(&map, &key);
    for (size_t i = 0; i < ITEMS(sorted); i++) {
        cr_assert_not_null(value);
        expect_number(key, sorted[i]);
        expect_number(*value, i);
        value = map_next(&map, &key);
    }
    cr_expect_null(value, "nothing follows the last key");
    map_free(&map);
}

Test(map, a_walk_starts_at_the_key_or_behind_it)
{
    struct map map = {.root = NULL};
    cr_assert_not_null(map_insert(&map, 10));
    cr_assert_not_null(map_insert(&map, 20));
    uint64_t key = 10;
    cr_expect_not_null(map_first(&map, &key));
    expect_number(key, 10);
    key = 11;
    cr_expect_not_null(map_first(&map, &key));
    expect_number(key, 20);
    key = 10;
    cr_expect_not_null(map_next(&map, &key));
    expect_number(key, 20);
    key = 21;
    cr_expect_null(map_first(&map, &key));
    map_free(&map);
}

Test(map, is_empty_and_usable_after_it_was_freed)
{
    struct map map = {.root = NULL};
    uint64_t *value = map_insert(&map, 10);
    cr_assert_not_null(value);
    *value = 3;
    map_free(&map);
    uint64_t key = 0;
    cr_expect_null(map_first(&map, &key));
    value = map_insert(&map, 10);
    cr_assert_not_null(value);
    expect_number(*value, 0);
    map_free(&map);
}
