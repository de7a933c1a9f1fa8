/* SPDX-License-Identifier: MIT */
#include "io/temporary/row_sort.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

/* How many rows of three numbers are sorted in memory. */
enum { FIT = 64 * 1024 };

TestSuite(row_sort, .fini = scratch_remove);

/* Makes row i of `count`. Rows are far from sorted, and many have the same first number. */
static void sample_row(uint64_t i, uint64_t count, uint64_t *row)
{
    uint64_t spread = i * UINT64_C(7919) % count;
    row[0] = spread % 3 == 0 ? spread / 1000 : UINT64_MAX - spread / 10;
    row[1] = i;
    row[2] = i * i;
}

/* Sorts `count` rows, and checks that each comes back once, in order. */
static void expect_sorted(uint64_t count)
{
    char path[PATH_SIZE];
    struct row_sort *sort = NULL;
    uint64_t row[3], before[3] = {0, 0, 0}, wanted[3], found = 0, sum = 0;
    ok(row_sort_open(&sort, 3, 1, &(struct temporary_folder){.path = scratch_path(path, "")},
                     &cause));
    for (uint64_t i = 0; i < count; i++) {
        sample_row(i, count, row);
        ok(row_sort_add(sort, row, &cause));
    }
    ok(row_sort_finish(sort, &cause));
    for (; row_sort_next(sort, row, &cause) == STATUS_OK; found++) {
        must(found == 0 || row_compare(before, row) < 0,
             "row %" PRIu64 " does not come after the one before", found);
        sample_row(row[1], count, wanted);
        must(row[0] == wanted[0] && row[2] == wanted[2], "row %" PRIu64 " differs", found);
        memcpy(before, row, sizeof row);
        sum += row[1];
    }
    expect_number(found, count);
    expect_number(sum, count < 2 ? 0 : count * (count - 1) / 2);
    cr_expect_eq(row_sort_next(sort, row, &cause), STATUS_END);
    row_sort_close(sort);
}

Test(row_sort, of_what_fits_memory)
{
    expect_sorted(0);
    expect_sorted(1);
    expect_sorted(FIT);
}

Test(row_sort, of_runs)
{
    expect_sorted(FIT + 1);
    expect_sorted(FIT * 3 + 7);
}

/* Sixteen runs are merged into a run of the second level before the next one is written. */
Test(row_sort, of_runs_that_were_merged)
{
    expect_sorted(FIT * 16);
    expect_sorted(FIT * 33 + 1);
}

/* There is room on the disk for each run, but not for the run that they are merged into. */
Test(row_sort, a_merged_run_that_does_not_fit_is_a_failure)
{
    enum { ROWS = FIT * 17 };
    char path[PATH_SIZE];
    struct row_sort *sort = NULL;
    uint64_t row[3], added = 0;
    enum status status = STATUS_OK;
    ok(row_sort_open(&sort, 3, 1, &(struct temporary_folder){.path = scratch_path(path, "")},
                     &cause));
    limit_files(4 << 20);
    for (; added < ROWS && status == STATUS_OK; added++) {
        sample_row(added, ROWS, row);
        status = row_sort_add(sort, row, &cause);
    }
    cr_expect_eq(status, STATUS_IO);
    cr_expect_geq(added, FIT * 16);
    cr_expect(cause.text && strstr(cause.text, "File too large"), "%s", cause.text);
    row_sort_close(sort);
}

/* Rows of one number: numbers that differ in all bytes, and numbers that are all equal. */
Test(row_sort, of_single_numbers)
{
    char path[PATH_SIZE];
    for (int same = 0; same < 2; same++) {
        struct row_sort *sort = NULL;
        uint64_t number, before = 0, found = 0;
        ok(row_sort_open(&sort, 1, 1,
                         &(struct temporary_folder){.path = scratch_path(path, "")}, &cause));
        for (uint64_t i = 0; i < 4 * FIT; i++) {
            number = same ? 7 : (i + 1) * UINT64_C(0x9E3779B97F4A7C15);
            ok(row_sort_add(sort, &number, &cause));
        }
        ok(row_sort_finish(sort, &cause));
        for (; row_sort_next(sort, &number, &cause) == STATUS_OK; found++) {
            must(number >= before, "number %" PRIu64 " does not come after the one before",
                 found);
            before = number;
        }
        expect_number(found, 4 * FIT);
        row_sort_close(sort);
    }
}

/* Rows with equal first numbers are in the order of the second, across runs. */
Test(row_sort, by_two_numbers)
{
    enum { ROWS = 4 * FIT };
    char path[PATH_SIZE];
    struct row_sort *sort = NULL;
    uint64_t row[3], before[2] = {0, 0}, found = 0;
    ok(row_sort_open(&sort, 3, 2, &(struct temporary_folder){.path = scratch_path(path, "")},
                     &cause));
    for (uint64_t i = 0; i < ROWS; i++) {
        uint64_t second = (i + 1) * UINT64_C(0x9E3779B97F4A7C15);
        ok(row_sort_add(sort, (uint64_t[]){i % 100, second, ~second}, &cause));
    }
    ok(row_sort_finish(sort, &cause));
    for (; row_sort_next(sort, row, &cause) == STATUS_OK; found++) {
        must(row[0] > before[0] || (row[0] == before[0] && row[1] > before[1]),
             "row %" PRIu64 " does not come after the one before", found);
        must(row[2] == ~row[1], "row %" PRIu64 " differs", found);
        memcpy(before, row, sizeof before);
    }
    expect_number(found, ROWS);
    row_sort_close(sort);
}

/* A heap gives its rows in order. */
Test(row_heap, gives_rows_in_order)
{
    enum { COUNT = 1000 };
    struct row_heap heap = {.width = 3};
    uint64_t row[3], before[3];
    for (uint64_t i = 0; i < COUNT; i++) {
        sample_row(i, COUNT, row);
        ok(row_heap_add(&heap, row, &cause));
    }
    for (size_t i = 0; i < COUNT; i++) {
        row_heap_take(&heap, row);
        must(i == 0 || row_compare(before, row) < 0,
             "row %zu does not come after the one before", i);
        memcpy(before, row, sizeof row);
    }
    expect_number(heap.count, 0);
    row_heap_free(&heap);
}
