/* SPDX-License-Identifier: MIT */
#include "base/packed.h"
#include "expect.h"

/* Each number is read back, also those around 2^32. */
Test(narrow, numbers_of_all_widths_come_back)
{
    static const uint64_t edges[] = {
        0, 1, UINT32_MAX, UINT32_MAX - UINT64_C(1), UINT64_MAX, UINT32_MAX + UINT64_C(1)};
    enum { EDGES = sizeof edges / sizeof *edges, COUNT = 10000 };
    struct narrow numbers = {.items = NULL};
    for (size_t i = 0; i < COUNT; i++)
        ok(narrow_add(&numbers, edges[i % EDGES], &cause));
    expect_number(numbers.count, COUNT);
    for (size_t i = 0; i < COUNT; i++)
        must(narrow_at(&numbers, i) == edges[i % EDGES], "item %zu differs", i);
    narrow_free(&numbers);
    expect_number(numbers.count, 0);
}

/* Numbers below 2^32 need no memory beyond the array, however many there are. */
Test(narrow, small_numbers_need_no_map)
{
    struct narrow numbers = {.items = NULL};
    for (uint64_t i = 0; i < 1000; i++)
        ok(narrow_add(&numbers, UINT32_MAX - 1 - i, &cause));
    cr_expect_null(numbers.wide.root);
    expect_number(narrow_at(&numbers, 999), UINT32_MAX - UINT64_C(1000));
    narrow_free(&numbers);
}
