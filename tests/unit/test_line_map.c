/* SPDX-License-Identifier: MIT */
/* The map from records to lines. */
#include "trace/batch.h"

#include "support.h"

static struct line_map map;

static void finish(void)
{
    line_map_free(&map);
}

TestSuite(line_map, .fini = finish);

static void add_lines(const uint64_t *lines, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ok(line_map_add(&map, lines[i], &cause));
}

Test(line_map, runs_of_lines_with_gaps_between_them)
{
    static const uint64_t lines[] = {1, 2, 3, 7, 8, 10, 12, 13, 14, 1000000000000};
    add_lines(lines, ITEMS(lines));
    expect_number(map.records, ITEMS(lines));
    for (size_t i = 0; i < ITEMS(lines); i++)
        expect_number(line_map_line(&map, i + 1), lines[i]);
}

Test(line_map, what_counts_up_together_takes_no_room)
{
    for (uint64_t line = 5; line < 100000; line++)
        ok(line_map_add(&map, line, &cause));
    expect_number(map.count, 1);
    expect_number(line_map_line(&map, 99995), 99999);
}

Test(line_map, records_that_share_a_line)
{
    static const uint64_t lines[] = {1, 2, 2};
    add_lines(lines, ITEMS(lines));
    expect_number(line_map_line(&map, 2), 2);
    expect_number(line_map_line(&map, 3), 2);
}

Test(line_map, lines_that_are_none)
{
    static const uint64_t lines[] = {0, 1, 0};
    add_lines(lines, ITEMS(lines));
    for (size_t i = 0; i < ITEMS(lines); i++)
        expect_number(line_map_line(&map, i + 1), lines[i]);
}

Test(line_map, room_that_cannot_be_had_is_a_failure)
{
    struct line_run run;
    struct line_map full = {.runs = &run, .count = SIZE_MAX / sizeof run};
    full.capacity = full.count;
    cr_expect_eq(line_map_begin_run(&full, 1, &cause), STATUS_MEMORY);
    cr_expect_eq(cause.status, STATUS_MEMORY);
}
