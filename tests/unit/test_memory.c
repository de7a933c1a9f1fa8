/* SPDX-License-Identifier: MIT */
#include "base/memory.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

Test(memory, a_new_array_has_room_for_what_is_needed)
{
    size_t capacity = 0;
    char *items = array_grow(NULL, &capacity, 1000, 4);
    cr_assert_not_null(items);
    cr_expect_geq(capacity, 1000);
    memset(items, 1, capacity * 4);
    free(items);
}

Test(memory, nothing_needed_still_gives_an_array)
{
    size_t capacity = 0;
    char *items = array_grow(NULL, &capacity, 0, 8);
    cr_expect_not_null(items);
    free(items);
}

Test(memory, an_array_with_room_stays)
{
    size_t capacity = 0;
    char *items = array_grow(NULL, &capacity, 10, 8);
    cr_assert_not_null(items);
    size_t before = capacity;
    cr_expect_eq(array_grow(items, &capacity, before, 8), items);
    cr_expect_eq(capacity, before);
    free(items);
}

Test(memory, growing_keeps_the_items_and_doubles)
{
    size_t capacity = 0, growths = 0, last = 0;
    uint32_t *items = NULL;
    for (uint32_t i = 0; i < 100000; i++) {
        uint32_t *grown = array_grow(items, &capacity, i + 1, sizeof *items);
        cr_assert(grown);
        items = grown;
        growths += capacity != last;
        last = capacity;
        items[i] = i;
    }
    cr_expect_leq(growths, 18, "%zu growths are not doubling", growths);
    for (uint32_t i = 0; i < 100000; i++)
        must(items[i] == i, "item %u is %u", i, items[i]);
    free(items);
}

Test(memory, what_an_array_is_lengthened_by_is_zero)
{
    size_t count = 0, capacity = 0;
    uint16_t *items = NULL;
    for (size_t needed = 0; needed < 1000; needed = 2 * needed + 3) {
        cr_assert(ARRAY_LENGTHEN(items, count, capacity, needed));
        expect_number(count, needed);
        cr_expect(ARRAY_LENGTHEN(items, count, capacity, needed / 2));
        expect_number(count, needed);
        for (size_t i = 0; i < count; i++)
            must(items[i] == (i < (count - 3) / 2 ? 7 : 0), "item %zu is %u", i, items[i]);
        for (size_t i = 0; i < capacity; i++)
            items[i] = 7;
    }
    cr_expect_not(ARRAY_LENGTHEN(items, count, capacity, SIZE_MAX / 2 + 1));
    cr_expect(count < 2000);
    free(items);
}

Test(memory, growing_slowly_keeps_the_items_and_adds_a_quarter)
{
    size_t capacity = 0, last = 0;
    uint32_t *items = NULL;
    for (uint32_t i = 0; i < 100000; i++) {
        cr_assert(ARRAY_RESERVE_SLOWLY(items, capacity, i + 1));
        must(capacity == last || i == last, "%zu is full with %u", last, i);
        must(capacity <= last + last / 4 + 16, "%zu follows %zu", capacity, last);
        last = capacity;
        items[i] = i;
    }
    for (uint32_t i = 0; i < 100000; i++)
        must(items[i] == i, "item %u is %u", i, items[i]);
    size_t most = SIZE_MAX;
    uint32_t *none = NULL;
    cr_expect_not(ARRAY_RESERVE_SLOWLY(none, most, 1));
    cr_expect_null(none);
    cr_expect_eq(most, SIZE_MAX);
    free(items);
}

/* Asks for more room in an array of ten bytes than there can be, and expects a refusal. */
static void expect_refusal(size_t stated_capacity, size_t needed, size_t item_size)
{
    char *items = malloc(10);
    cr_assert_not_null(items);
    memcpy(items, "unchanged", 10);
    size_t capacity = stated_capacity;
    cr_expect_null(array_grow(items, &capacity, needed, item_size));
    cr_expect_eq(capacity, stated_capacity);
    cr_expect_str_eq(items, "unchanged");
    free(items);
}

Test(memory, a_size_that_overflows_is_refused)
{
    expect_refusal(10, SIZE_MAX / 8 + 1, 8);
    expect_refusal(10, SIZE_MAX, 2);
}

Test(memory, doubling_that_overflows_is_refused)
{
    expect_refusal(SIZE_MAX / 2 + 1, SIZE_MAX / 2 + 2, 1);
}

/* AddressSanitizer would report such a size as an error. */
#ifndef SANITIZED
Test(memory, a_size_that_the_system_refuses_leaves_the_array)
{
    expect_refusal(10, SIZE_MAX / 2, 1);
}
#endif

Test(memory, a_new_array_is_zeroed)
{
    uint64_t *items = array_new(1000, sizeof *items);
    cr_assert_not_null(items);
    for (size_t i = 0; i < 1000; i++)
        must(items[i] == 0, "item %zu is not zero", i);
    free(items);
}

Test(memory, no_items_are_an_array_too)
{
    void *items = array_new(0, 8);
    cr_expect_not_null(items);
    free(items);
}

Test(memory, a_new_array_whose_size_overflows_is_refused)
{
    cr_expect_null(array_new(SIZE_MAX / 8 + 2, 8));
}

Test(memory, one_item_takes_no_more_than_two)
{
    size_t capacity = 0;
    char *items = array_grow(NULL, &capacity, 1, 4096);
    cr_assert_not_null(items);
    cr_expect_leq(capacity, 2);
    free(items);
}

Test(memory, an_array_of_pages_can_be_used_whatever_its_size)
{
    static const size_t sizes[] = {1, 4096, 2 * 1024 * 1024, 6 * 1024 * 1024, 3 * 1024 * 1024};
    for (size_t i = 0; i < ITEMS(sizes); i++) {
        char *items = array_of_pages(sizes[i] / 2 + 1, 2);
        cr_assert_not_null(items);
        memset(items, 1, sizes[i]);
        free(items);
        items = array_of_pages(sizes[i], 1);
        cr_assert_not_null(items);
        memset(items, 1, sizes[i]);
        free(items);
    }
}

Test(memory, an_array_of_pages_that_does_not_fit_size_t_is_refused)
{
    cr_expect_null(array_of_pages(SIZE_MAX / 2, 3));
}
