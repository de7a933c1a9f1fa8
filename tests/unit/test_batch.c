/* SPDX-License-Identifier: MIT */
#include "support.h"
#include "trace/batch.h"

#include <string.h>

Test(batch, room_for_more_keeps_what_there_is)
{
    struct batch batch = BATCH_EMPTY;
    ok(batch_reserve(&batch, 1, 4, &cause));
    batch.records[0] = (struct record){.kind = RECORD_EXIT, .method = 7};
    batch.count = 1;
    memcpy(batch.text, "text", 4);
    batch.text_length = 4;
    ok(batch_reserve(&batch, 100000, 1000000, &cause));
    cr_expect_geq(batch.capacity, 100000);
    cr_expect_geq(batch.text_capacity, 1000000);
    cr_expect_eq(batch.count, 1);
    expect_number(batch.records[0].method, 7);
    cr_expect(memcmp(batch.text, "text", 4) == 0);
    memset(batch.text, 0, 1000000);
    memset(batch.records, 0, 100000 * sizeof *batch.records);
    batch_free(&batch);
}

Test(batch, room_that_cannot_be_had_is_a_failure)
{
    struct batch batch = BATCH_EMPTY;
    cr_expect_eq(batch_reserve(&batch, SIZE_MAX, 1, &cause), STATUS_MEMORY);
    cr_expect_eq(cause.status, STATUS_MEMORY);
    batch_free(&batch);
}

Test(batch, is_empty_and_usable_after_it_was_freed)
{
    struct batch batch = BATCH_EMPTY;
    ok(batch_reserve(&batch, 10, 10, &cause));
    batch.count = 3;
    batch_free(&batch);
    cr_expect_null(batch.records);
    cr_expect_null(batch.text);
    cr_expect_eq(batch.count, 0);
    ok(batch_reserve(&batch, 10, 10, &cause));
    batch_free(&batch);
}
