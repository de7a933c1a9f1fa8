/* SPDX-License-Identifier: MIT */
/* Pass 1: its counts and its failures. tests/property/worked-traces tests which deaths follow
 * from last uses. */
#include "merlin/pass.h"
#include "support.h"

Test(pass, abandoned_frames_and_exits_without_a_frame_are_counted)
{
    struct passed passed;
    pass(&passed,
         "M 1 0 7\nM 2 0 7\nM 3 0 7\nM 4 0 7\n"
         "E 1 7\n" /* leaves 4, 3 and 2, too */
         "E 9 7\nX 9 0 0 7\nM 1 0 7\nE 1 8\n",
         &thread_dialect, HELD_BY_RECEIVER);
    expect_number(passed.pass.counts.unwound_frames, 3);
    expect_number(passed.pass.counts.unmatched_exits, 3);
    passed_free(&passed);
}

Test(pass, batches_continue_each_other)
{
    struct record records[] = {
        {.kind = RECORD_ENTRY, .method = 1, .receiver = 10, .thread = 7},
        {.kind = RECORD_ENTRY, .method = 2, .thread = 7},
        {.kind = RECORD_EXIT, .method = 1, .thread = 7},
    };
    struct pass pass;
    ok(pass_init(&pass, HELD_BY_RECEIVER, false, &cause));
    for (size_t i = 0; i < ITEMS(records); i++) {
        struct batch batch = {.records = &records[i],
                              .count = 1,
                              .first_line = 3 * i + 1,
                              .comments = 2,
                              .malformed = i};
        ok(pass_add(&pass, &batch, &cause));
    }
    expect_number(objects_last_uses(pass.heap.objects)[1], 2);
    expect_number(pass.counts.unwound_frames, 1);
    expect_number(pass.counts.comments, 6);
    expect_number(pass.counts.malformed, 3);
    pass_free(&pass);
}
