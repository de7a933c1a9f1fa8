/* SPDX-License-Identifier: MIT */
/* What last uses come to, as deaths, is in tests/property/worked-traces. */
#include "merlin/last_use.h"
#include "support.h"

Test(last_use, batches_continue_each_other)
{
    struct record records[] = {
        {.kind = RECORD_ENTRY, .method = 1, .receiver = 10, .thread = 7},
        {.kind = RECORD_ENTRY, .method = 2, .thread = 7},
        {.kind = RECORD_EXIT, .method = 1, .thread = 7},
    };
    struct history history;
    ok(history_init(&history, HELD_BY_RECEIVER, false, &cause));
    for (size_t i = 0; i < ITEMS(records); i++) {
        struct batch batch = {
            .records = &records[i], .count = 1, .comments = 2, .malformed = i};
        ok(history_add(&history, &batch, &cause));
    }
    expect_number(objects_last_uses(history.heap.objects)[1], 2);
    expect_number(history.counts.unwound_frames, 1);
    expect_number(history.counts.comments, 6);
    expect_number(history.counts.malformed, 3);
    history_free(&history);
}
