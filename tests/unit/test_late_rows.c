/* SPDX-License-Identifier: MIT */
#include "report/lives/late_rows.h"
#include "support.h"

#include <stdlib.h>

TestSuite(late_rows, .fini = scratch_remove);

enum { WIDTH = LATE_FIRST + 2 };

/* Adds `count` rows, each known `most` places at most behind its own, and expects them back by
 * place. Each second place has two rows, which differ in their order. */
static void expect_by_place(uint64_t count, uint64_t most)
{
    char path[PATH_SIZE];
    struct late_rows *rows = NULL;
    uint64_t state = count + most, *delays = calloc(count + 1, sizeof *delays);
    ok(late_rows_open(&rows, WIDTH, &(struct spool_place){.folder = scratch_path(path, "")},
                      &cause));
    for (uint64_t i = 0; i < count; i++)
        delays[i] = random_below(&state, most + 1);
    for (uint64_t known = 0; known < count + most; known++)
        for (uint64_t delay = 0; delay <= most && delay <= known; delay++) {
            uint64_t i = known - delay;
            if (i >= count || delays[i] != delay)
                continue;
            uint64_t row[WIDTH] = {i / 2, 1 - i % 2, i / 2 + delay, i, UINT64_MAX - i};
            row[LATE_KNOWN] = known;
            ok(late_rows_add(rows, row, &cause));
        }
    ok(late_rows_finish(rows, &cause));
    uint64_t row[LATE_ROW_MAX], found = 0;
    for (; late_rows_next(rows, row, &cause) == STATUS_OK; found++) {
        uint64_t i = found + 1 - 2 * (found % 2); /* the later one of a place comes first */
        if (found == count - 1 && count % 2 == 1)
            i = found;
        must(row[LATE_FIRST] == i, "row %" PRIu64 " is number %" PRIu64, found,
             row[LATE_FIRST]);
        expect_number(row[LATE_FIRST + 1], UINT64_MAX - i);
    }
    expect_number(found, count);
    late_rows_close(rows);
    free(delays);
}

Test(late_rows, come_by_place_however_late_they_are)
{
    expect_by_place(0, 0);
    expect_by_place(1, 5);
    expect_by_place(1001, 0);
    expect_by_place(1000, 1);
    expect_by_place(1001, 40);
    expect_by_place(500, 500);
    expect_by_place(30000, 10);
}
