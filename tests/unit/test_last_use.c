/* SPDX-License-Identifier: MIT */
/* The clock of a trace here: M ticks before it uses anything, E and X after. So a record that
 * follows n boundaries uses objects at n, an M that is boundary n at n, an E or X at n - 1.
 *
 * Records are of thread 7 unless a test is about threads, and objects 10, 20, 30. */
#include "heap/objects_inline.h"
#include "merlin/last_use.h"
#include "support.h"

#include <stdlib.h>

static struct passed passed;

static void free_passed(void)
{
    pass_free(&passed);
}

TestSuite(last_use, .fini = free_passed);

static void read_trace(enum held_by held_by, const char *text)
{
    pass_free(&passed);
    pass(&passed, text, &thread_dialect, held_by);
}

static node_t node_of(uint64_t id)
{
    node_t node = NODE_NONE;
    size_t count = objects_count(passed.history.heap.objects);
    ok(objects_find(passed.history.heap.objects, id, &node, &cause));
    must(node < count, "the trace does not name %" PRIu64, id);
    return node;
}

static uint64_t last_use(uint64_t id)
{
    return objects_last_uses(passed.history.heap.objects)[node_of(id)];
}

/* Whether the open frames of thread number `thread` hold the object. */
static bool is_held(uint32_t thread, uint64_t id)
{
    size_t count = 0;
    const node_t *held = frames_held(passed.history.heap.frames, thread, &count);
    node_t node = node_of(id);
    for (size_t i = 0; i < count; i++)
        if (held[i] == node)
            return true;
    return false;
}

static const struct trace_counts *counts(void)
{
    return &passed.history.counts;
}

Test(last_use, allocations_use_the_object)
{
    static const char *const traces[] = {
        "M 1 0 7\nM 1 0 7\nN 10 1 1 1 0 7\nM 1 0 7\n",
        "M 1 0 7\nM 1 0 7\nA 10 1 1 1 0 7\nM 1 0 7\n",
        "M 1 0 7\nM 1 0 7\nI 10 1 1 1 0 7\nM 1 0 7\n",
        "M 1 0 7\nM 1 0 7\nP 10 1 1 1 0 7\nM 1 0 7\n",
        "M 1 0 7\nM 1 0 7\nV 10 1 1 1 0 7\nM 1 0 7\n",
    };
    for (size_t i = 0; i < ITEMS(traces); i++) {
        read_trace(HELD_BY_RECEIVER, traces[i]);
        expect_number(last_use(10), 2);
        cr_expect(objects_is_allocated(passed.history.heap.objects, node_of(10)));
    }
}

Test(last_use, a_witness_uses_the_object)
{
    read_trace(HELD_BY_RECEIVER, "W 10 99 7\nM 1 0 7\nW 10 99 7\nM 1 0 7\n");
    expect_number(last_use(10), 1);
    cr_expect_eq(objects_count(passed.history.heap.objects), 2, "a class is no object");
    cr_expect_not(objects_is_allocated(passed.history.heap.objects, node_of(10)));
}

Test(last_use, an_entry_ticks_and_then_uses_its_receiver)
{
    read_trace(HELD_BY_NONE, "M 1 10 7\nM 2 0 7\n");
    expect_number(last_use(10), 1);
    expect_number(passed.history.clock.now, 2);
}

Test(last_use, a_receiver_is_in_use_until_just_before_the_exit_ticks)
{
    read_trace(HELD_BY_RECEIVER, "M 1 10 7\n"
                                 "M 2 0 7\n"
                                 "E 2 7\n"
                                 "E 1 7\n"
                                 "M 3 0 7\n");
    expect_number(last_use(10), 3);
    expect_number(passed.history.clock.now, 5);
}

Test(last_use, an_exit_without_receiver_uses_nothing)
{
    read_trace(HELD_BY_RECEIVER, "W 10 1 7\nM 1 0 7\nM 2 0 7\nE 2 7\nE 1 7\n");
    expect_number(last_use(10), 0);
    cr_expect_eq(objects_count(passed.history.heap.objects), 2);
}

Test(last_use, abandoned_frames_hold_no_receiver)
{
    read_trace(HELD_BY_RECEIVER, "M 1 10 7\n"
                                 "M 2 20 7\n"
                                 "M 3 30 7\n"
                                 "E 2 7\n" /* leaves 3 and 2 */
                                 "M 4 0 7\n"
                                 "E 1 7\n"); /* leaves 4 and 1 */
    expect_number(last_use(30), 3);          /* that is its M */
    expect_number(last_use(20), 3);
    expect_number(last_use(10), 5);
    expect_number(counts()->unwound_frames, 2);
    expect_number(counts()->unmatched_exits, 0);
}

Test(last_use, abandoned_frames_hold_no_receiver_up_to_the_outer_exit)
{
    read_trace(HELD_BY_RECEIVER, "M 1 10 7\n"
                                 "M 2 20 7\n"
                                 "M 3 30 7\n"
                                 "M 4 0 7\n"
                                 "E 4 7\n"
                                 "E 1 7\n"); /* leaves 3, 2 and 1 */
    expect_number(last_use(30), 3);
    expect_number(last_use(20), 2);
    expect_number(last_use(10), 5);
}

Test(last_use, what_an_abandoned_frame_named_is_held_with_held_by_frame)
{
    read_trace(HELD_BY_FRAME, "M 1 10 7\n"
                              "M 2 20 7\n"
                              "W 30 1 7\n"
                              "M 4 0 7\n"
                              "E 4 7\n"
                              "E 1 7\n"); /* leaves 2 and 1 */
    expect_number(last_use(30), 4);
    expect_number(last_use(20), 4);
    expect_number(last_use(10), 4);
}

Test(last_use, an_unmatched_exit_only_ticks)
{
    read_trace(HELD_BY_RECEIVER, "M 1 10 7\n"
                                 "E 9 7\n"
                                 "X 9 0 0 7\n");
    expect_number(passed.history.clock.now, 3);
    expect_number(last_use(10), 1);
    cr_expect(is_held(0, 10));
    expect_number(counts()->unmatched_exits, 2);
    expect_number(counts()->unwound_frames, 0);
}

Test(last_use, a_method_open_in_another_thread_is_not_matched)
{
    read_trace(HELD_BY_RECEIVER, "M 1 10 7\n"
                                 "E 1 8\n");
    expect_number(counts()->unmatched_exits, 1);
    expect_number(last_use(10), 1);
    cr_expect(is_held(0, 10));
}

Test(last_use, threads_share_the_clock)
{
    read_trace(HELD_BY_RECEIVER, "M 1 10 7\n"
                                 "M 2 20 8\n"
                                 "M 3 0 9\n"
                                 "E 1 7\n"
                                 "E 2 8\n");
    expect_number(last_use(10), 3);
    expect_number(last_use(20), 4);
    expect_number(passed.history.clock.now, 5);
}

Test(last_use, records_of_threads_may_alternate_and_a_thread_may_be_0)
{
    read_trace(HELD_BY_RECEIVER, "M 1 10 7\n"
                                 "M 1 20 0\n"
                                 "M 1 30 8\n"
                                 "E 1 0\n"
                                 "E 1 8\n"
                                 "E 1 7\n"
                                 "E 1 0\n");
    cr_expect_eq(frames_thread_count(passed.history.heap.frames), 3);
    expect_number(last_use(20), 3);
    expect_number(last_use(30), 4);
    expect_number(last_use(10), 5);
    expect_number(counts()->unmatched_exits, 1);
}

Test(last_use, an_exception_exit_uses_the_receivers_before_its_tick)
{
    read_trace(HELD_BY_RECEIVER, "M 1 10 7\n"
                                 "M 2 20 7\n"
                                 "X 1 30 0 7\n"
                                 "M 3 0 7\n");
    expect_number(last_use(10), 2); /* the receiver of the popped frame */
    expect_number(last_use(20), 2);
    expect_number(last_use(30), 2);
    expect_number(counts()->unwound_frames, 1);
}

Test(last_use, an_exception_is_in_flight_after_the_tick)
{
    read_trace(HELD_BY_RECEIVER, "M 1 10 7\n"
                                 "X 1 10 20 7\n"
                                 "M 3 0 7\n");
    expect_number(last_use(20), 2);
    expect_number(last_use(10), 1);
}

Test(last_use, an_exception_that_is_its_own_receiver_is_used_after_the_tick)
{
    read_trace(HELD_BY_RECEIVER, "M 1 10 7\nX 1 10 10 7\nM 3 0 7\n");
    expect_number(last_use(10), 2);
}

Test(last_use, an_unmatched_exception_exit_uses_what_it_names)
{
    read_trace(HELD_BY_RECEIVER, "M 1 0 7\nX 9 10 20 7\nM 3 0 7\n");
    expect_number(last_use(10), 1);
    expect_number(last_use(20), 2);
}

Test(last_use, throw_and_catch_use_receiver_and_exception)
{
    static const char *const traces[] = {"M 1 0 7\nT 1 10 20 7\nM 2 0 7\n",
                                         "M 1 0 7\nH 1 10 20 7\nM 2 0 7\n"};
    for (size_t i = 0; i < ITEMS(traces); i++) {
        read_trace(HELD_BY_RECEIVER, traces[i]);
        expect_number(last_use(10), 1);
        expect_number(last_use(20), 1);
        expect_number(passed.history.clock.now, 2);
        cr_expect_eq(frames_depth(passed.history.heap.frames, 0), 2);
    }
}

Test(last_use, an_update_uses_container_and_value)
{
    read_trace(HELD_BY_RECEIVER, "M 1 0 7\nU 10 20 30 7\nM 2 0 7\n");
    expect_number(last_use(10), 1);
    expect_number(last_use(20), 1);
    cr_expect_eq(objects_count(passed.history.heap.objects), 3, "a field is no object");
}

Test(last_use, an_update_uses_the_old_value)
{
    read_trace(HELD_BY_RECEIVER, "U 10 20 1 7\n"
                                 "M 1 0 7\n"
                                 "U 10 30 1 7\n"
                                 "M 2 0 7\n"
                                 "U 10 0 1 7\n"
                                 "M 3 0 7\n"
                                 "U 10 0 1 7\n");
    expect_number(last_use(20), 1);
    expect_number(last_use(30), 2);
    expect_number(last_use(10), 3);
}

Test(last_use, an_update_of_another_field_leaves_the_old_value_alone)
{
    read_trace(HELD_BY_RECEIVER, "U 10 20 1 7\nM 1 0 7\nU 10 30 2 7\nU 30 10 1 7\n");
    expect_number(last_use(20), 0);
}

Test(last_use, a_static_field_is_updated_like_any_other)
{
    read_trace(HELD_BY_RECEIVER, "U 0 10 1 7\nM 1 0 7\nU 0 20 1 7\nM 2 0 7\n");
    expect_number(last_use(10), 1);
    expect_number(last_use(20), 1);
    slot_t slot = *objects_first_slot(passed.history.heap.objects, NODE_NONE);
    cr_expect_eq(slots_next(passed.history.heap.slots, &slot), node_of(20));
    cr_expect_eq(slots_next(passed.history.heap.slots, &slot), NODE_NONE);
}

Test(last_use, an_update_puts_the_value_into_the_container)
{
    read_trace(HELD_BY_RECEIVER, "U 10 20 1 7\n");
    slot_t slot = *objects_first_slot(passed.history.heap.objects, node_of(10));
    cr_expect_eq(slots_next(passed.history.heap.slots, &slot), node_of(20));
    slot = *objects_first_slot(passed.history.heap.objects, node_of(20));
    cr_expect_eq(slots_next(passed.history.heap.slots, &slot), NODE_NONE);
}

Test(last_use, deaths_unknown_records_and_comments_use_nothing)
{
    read_trace(HELD_BY_FRAME, "W 10 1 7\nM 1 0 7\nD 10 7 1\nZ 10 7\n# W 10 1 7\n");
    expect_number(last_use(10), 0);
    cr_expect_not(is_held(0, 10));
    expect_number(counts()->records['D'], 1);
    expect_number(counts()->unknown, 1);
    expect_number(counts()->comments, 1);
}

Test(last_use, a_death_names_no_object_and_no_thread)
{
    read_trace(HELD_BY_RECEIVER, "D 10 99 1\nM 1 0 7\n");
    cr_expect_eq(objects_count(passed.history.heap.objects), 1);
    cr_expect_eq(frames_thread_count(passed.history.heap.frames), 1);
}

Test(last_use, an_allocation_adopts_what_was_named_before)
{
    read_trace(HELD_BY_RECEIVER, "M 1 10 7\n"
                                 "U 10 20 1 7\n"
                                 "E 1 7\n"
                                 "N 10 1 1 1 0 8\n"
                                 "M 2 0 7\n");
    expect_number(counts()->adopted, 1);
    expect_number(counts()->repeated, 0);
    expect_number(last_use(10), 2);
    cr_expect_eq(node_of(10), 1);
    expect_number(objects_thread(passed.history.heap.objects, 1), 1); /* the second thread */
    slot_t slot = *objects_first_slot(passed.history.heap.objects, 1);
    cr_expect_eq(slots_next(passed.history.heap.slots, &slot), node_of(20));
}

Test(last_use, a_repeated_allocation_begins_a_new_object)
{
    read_trace(HELD_BY_RECEIVER, "N 10 1 1 1 0 7\n"
                                 "U 10 20 1 7\n"
                                 "M 1 0 7\n"
                                 "N 10 1 1 1 0 7\n"
                                 "M 2 0 7\n"
                                 "U 10 30 1 7\n"); /* the new 10: 20 is no old value */
    expect_number(counts()->adopted, 0);
    expect_number(counts()->repeated, 1);
    expect_number(last_use(10), 2);
    expect_number(objects_last_uses(passed.history.heap.objects)[1], 0);
    expect_number(last_use(20), 0);
}

Test(last_use, held_by_none_a_popped_frame_is_no_use)
{
    read_trace(HELD_BY_NONE, "M 1 10 7\n"
                             "M 2 20 7\n"
                             "E 2 7\n"
                             "E 1 7\n");
    expect_number(last_use(10), 1);
    expect_number(last_use(20), 2);
}

Test(last_use, held_by_none_an_open_frame_holds_nothing)
{
    read_trace(HELD_BY_NONE, "M 1 10 7\nW 20 1 7\n");
    cr_expect_not(is_held(0, 10));
    cr_expect_not(is_held(0, 20));
    cr_expect_eq(frames_depth(passed.history.heap.frames, 0), 1);
}

Test(last_use, held_by_none_an_exception_exit_uses_what_it_names)
{
    read_trace(HELD_BY_NONE, "M 1 10 7\nX 1 20 30 7\nM 2 0 7\n");
    expect_number(last_use(10), 1);
    expect_number(last_use(20), 1);
    expect_number(last_use(30), 2);
    read_trace(HELD_BY_NONE, "M 1 0 7\nM 2 10 7\nM 3 0 7\nX 2 20 30 7\nM 4 0 7\n");
    expect_number(last_use(10), 2); /* the receiver of the popped frame is not used */
    expect_number(last_use(20), 3);
    expect_number(last_use(30), 4);
}

Test(last_use, held_by_receiver_an_open_frame_holds_only_that)
{
    read_trace(HELD_BY_RECEIVER, "M 1 10 7\nW 20 1 7\nN 30 1 1 1 0 7\n");
    cr_expect(is_held(0, 10));
    cr_expect_not(is_held(0, 20));
    cr_expect_not(is_held(0, 30));
}

/* What stands within method 1 is held by its frame until boundary 4, the exit: used at 3. */
#define WITHIN_A_METHOD(record) "M 1 0 7\n" record "\nM 2 0 7\nE 2 7\nE 1 7\nM 3 0 7\n"

Test(last_use, held_by_frame_every_object_that_a_record_names_is_held)
{
    static const char *const traces[] = {
        WITHIN_A_METHOD("N 10 1 1 1 0 7"), WITHIN_A_METHOD("A 10 1 1 1 0 7"),
        WITHIN_A_METHOD("I 10 1 1 1 0 7"), WITHIN_A_METHOD("P 10 1 1 1 0 7"),
        WITHIN_A_METHOD("V 10 1 1 1 0 7"), WITHIN_A_METHOD("W 10 1 7"),
        WITHIN_A_METHOD("U 10 0 1 7"),     WITHIN_A_METHOD("U 0 10 1 7"),
        WITHIN_A_METHOD("T 1 10 0 7"),     WITHIN_A_METHOD("T 1 0 10 7"),
        WITHIN_A_METHOD("H 1 10 0 7"),     WITHIN_A_METHOD("H 1 0 10 7"),
    };
    for (size_t i = 0; i < ITEMS(traces); i++) {
        read_trace(HELD_BY_FRAME, traces[i]);
        must(last_use(10) == 3, "%s: last use at %" PRIu64, traces[i], last_use(10));
        read_trace(HELD_BY_RECEIVER, traces[i]);
        must(last_use(10) == 1, "%s: last use at %" PRIu64, traces[i], last_use(10));
    }
}

Test(last_use, held_by_frame_a_receiver_is_held_by_the_frame_it_enters)
{
    read_trace(HELD_BY_FRAME, "M 1 0 7\nM 2 10 7\nM 3 0 7\nE 3 7\nE 2 7\nE 1 7\n");
    expect_number(last_use(10), 4);
}

Test(last_use, held_by_frame_the_innermost_frame_holds)
{
    read_trace(HELD_BY_FRAME, "M 1 0 7\n"
                              "W 10 1 7\n"
                              "M 2 0 7\n"
                              "W 20 1 7\n"
                              "E 2 7\n"
                              "W 30 1 7\n"
                              "M 3 0 7\n"
                              "E 1 7\n");
    expect_number(last_use(10), 4);
    expect_number(last_use(20), 2);
    expect_number(last_use(30), 4);
}

Test(last_use, held_by_frame_an_exception_is_held_by_the_frame_it_falls_into)
{
    read_trace(HELD_BY_FRAME, "M 1 0 7\n"
                              "M 2 0 7\n"
                              "X 2 10 20 7\n"
                              "M 3 0 7\n"
                              "E 3 7\n"
                              "E 1 7\n");
    expect_number(last_use(20), 5);
    expect_number(last_use(10), 2); /* the receiver is only used */
}

Test(last_use, held_by_frame_the_exception_of_an_unmatched_exit_is_held)
{
    read_trace(HELD_BY_FRAME, "M 1 0 7\nX 9 10 20 7\nM 2 0 7\nE 2 7\nE 1 7\n");
    expect_number(last_use(20), 4);
    expect_number(last_use(10), 1);
}

Test(last_use, held_by_frame_an_old_value_is_only_used)
{
    read_trace(HELD_BY_FRAME, "U 10 20 1 7\nM 1 0 7\nU 10 0 1 7\nM 2 0 7\nE 2 7\nE 1 7\n");
    expect_number(last_use(20), 1);
    expect_number(last_use(10), 3);
}

Test(last_use, held_by_frame_nothing_is_held_outside_any_frame)
{
    read_trace(HELD_BY_FRAME, "W 10 1 7\n"
                              "M 1 0 7\n"
                              "E 1 7\n"
                              "N 20 1 1 1 0 7\n"
                              "X 9 0 30 7\n"
                              "M 2 0 7\n"
                              "E 2 7\n");
    expect_number(last_use(10), 0);
    expect_number(last_use(20), 2);
    expect_number(last_use(30), 3);
}

Test(last_use, held_by_frame_the_frames_of_other_threads_hold_nothing)
{
    read_trace(HELD_BY_FRAME, "M 1 0 7\n"
                              "W 10 1 8\n"
                              "W 20 1 7\n"
                              "E 1 7\n");
    expect_number(last_use(10), 1);
    cr_expect_not(is_held(0, 10));
    cr_expect_not(is_held(1, 10));
    read_trace(HELD_BY_FRAME, "M 1 0 7\n"
                              "M 1 0 8\n"
                              "W 10 1 8\n"
                              "E 1 7\n");
    expect_number(last_use(10), 2);
    cr_expect_not(is_held(0, 10));
    cr_expect(is_held(1, 10));
}

Test(last_use, explicit_times_are_kept_for_each_tick)
{
    pass(&passed, "M 1 10 100\nW 20 1 100\nM 2 0 101\nE 2 205\nE 1 205\n", &time_dialect,
         HELD_BY_RECEIVER);
    cr_expect(passed.history.explicit_time);
    expect_number(passed.history.clock.now, 4);
    expect_number(clock_time(&passed.history.clock, 1), 100);
    expect_number(clock_time(&passed.history.clock, 2), 101);
    expect_number(clock_time(&passed.history.clock, 3), 205);
    expect_number(clock_time(&passed.history.clock, 4), 205);
    expect_number(last_use(20), 1);
    expect_number(last_use(10), 3);
}

Test(last_use, without_threads_all_records_share_a_stack)
{
    pass(&passed, "M 1 10 1\nM 2 20 2\nE 1 3\n", &time_dialect, HELD_BY_RECEIVER);
    cr_expect_eq(frames_thread_count(passed.history.heap.frames), 1);
    expect_number(frames_thread_id(passed.history.heap.frames, 0), 0);
    expect_number(counts()->unwound_frames, 1);
    expect_number(last_use(20), 2);
}

Test(last_use, records_are_counted_by_letter)
{
    read_trace(HELD_BY_RECEIVER, "N 10 1 1 1 0 7\nN 20 1 1 1 0 7\nA 30 1 1 1 0 7\nM 1 0 7\n"
                                 "U 10 20 1 7\nU 10 20 1 7\nU 10 20 1 7\nE 1 7\n\n");
    expect_number(counts()->records['N'], 2);
    expect_number(counts()->records['A'], 1);
    expect_number(counts()->records['M'], 1);
    expect_number(counts()->records['U'], 3);
    expect_number(counts()->records['E'], 1);
    expect_number(counts()->records['W'], 0);
    expect_number(counts()->comments, 1);
}

Test(last_use, batches_continue_each_other)
{
    struct record records[] = {
        {.kind = RECORD_ENTRY, .method = 1, .receiver = 10, .thread = 7},
        {.kind = RECORD_ENTRY, .method = 2, .thread = 7},
        {.kind = RECORD_EXIT, .method = 1, .thread = 7},
    };
    ok(history_init(&passed.history, HELD_BY_RECEIVER, false, &cause));
    for (size_t i = 0; i < ITEMS(records); i++) {
        struct batch batch = {
            .records = &records[i], .count = 1, .comments = 2, .malformed = i};
        ok(history_add(&passed.history, &batch, &cause));
    }
    expect_number(last_use(10), 2);
    expect_number(counts()->unwound_frames, 1);
    expect_number(counts()->comments, 6);
    expect_number(counts()->malformed, 3);
}
