/* SPDX-License-Identifier: MIT */
#include "heap/frames_inline.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

static struct frames *frames;

static void make_frames(void)
{
    ok(frames_new(&frames, &cause));
}

static void free_frames(void)
{
    frames_free(frames);
}

TestSuite(frames, .init = make_frames, .fini = free_frames);

static uint32_t find_thread(uint64_t id)
{
    uint32_t thread = UINT32_MAX;
    ok(frames_find_thread(frames, id, &thread, &cause));
    return thread;
}

static void enter(uint32_t thread, uint64_t method)
{
    ok(frames_enter(frames, thread, method, &cause));
}

static void hold(uint32_t thread, node_t node)
{
    ok(frames_hold(frames, thread, node, &cause));
}

static struct frames_left leave(uint32_t thread, uint64_t method)
{
    struct frames_left left;
    ok(frames_leave(frames, thread, method, &left, &cause));
    return left;
}

/* These nodes as a set: bit i is node i, below 64. */
static uint64_t set_of(const node_t *nodes, size_t count)
{
    uint64_t set = 0;
    for (size_t i = 0; i < count; i++) {
        must(nodes[i] < 64, "node %u was never held", nodes[i]);
        set |= UINT64_C(1) << nodes[i];
    }
    return set;
}

static uint64_t held_by_open_frames(uint32_t thread)
{
    size_t count = 0;
    const node_t *held = frames_held(frames, thread, &count);
    return set_of(held, count);
}

static void expect_left(struct frames_left left, bool matched, uint64_t unwound, uint64_t held)
{
    cr_expect_eq(left.matched, matched);
    expect_number(left.unwound, unwound);
    expect_number(set_of(left.held, left.held_count), held);
    if (unwound == 0)
        expect_number(left.own_count, left.held_count);
}

/* The set of a node or two. */
#define SET1(a) (UINT64_C(1) << (a))
#define SET2(a, b) (SET1(a) | SET1(b))

Test(frames, only_the_innermost_frame_of_the_method_is_left_at_the_top)
{
    uint32_t thread = find_thread(1);
    const node_t *held;
    size_t count;
    enter(thread, 1);
    hold(thread, 10);
    enter(thread, 2);
    hold(thread, 20);
    cr_expect_not(frames_leave_top(frames, thread, 1, &held, &count));
    cr_assert(frames_leave_top(frames, thread, 2, &held, &count));
    cr_expect_eq(set_of(held, count), UINT64_C(1) << 20);
    cr_assert(frames_leave_top(frames, thread, 1, &held, &count));
    cr_expect_eq(set_of(held, count), UINT64_C(1) << 10);
    cr_expect_not(frames_leave_top(frames, thread, 1, &held, &count));
}

Test(frames, threads_are_numbered_as_they_appear)
{
    cr_expect_eq(frames_thread_count(frames), 0);
    cr_expect_eq(find_thread(77), 0);
    cr_expect_eq(find_thread(0), 1);
    cr_expect_eq(find_thread(UINT64_MAX), 2);
    cr_expect_eq(find_thread(0), 1);
    cr_expect_eq(find_thread(77), 0);
    cr_expect_eq(frames_thread_count(frames), 3);
    expect_number(frames_thread_id(frames, 0), 77);
    expect_number(frames_thread_id(frames, 1), 0);
    expect_number(frames_thread_id(frames, 2), UINT64_MAX);
}

Test(frames, thousands_of_threads_are_kept_apart)
{
    for (uint32_t i = 0; i < 5000; i++)
        must(find_thread(i * UINT64_C(0x123456789)) == i, "thread %u", i);
    for (uint32_t i = 5000; i-- > 0;)
        must(find_thread(i * UINT64_C(0x123456789)) == i, "thread %u", i);
    cr_expect_eq(frames_thread_count(frames), 5000);
}

Test(frames, method_numbers_have_their_whole_range)
{
    find_thread(7);
    enter(0, 0);
    enter(0, UINT64_MAX);
    enter(0, 5);
    expect_left(leave(0, UINT64_MAX), true, 1, 0);
    expect_left(leave(0, 0), true, 0, 0);
}

Test(frames, a_node_held_over_and_over_is_stored_a_few_times)
{
    find_thread(7);
    enter(0, 1);
    for (int i = 0; i < 1000000; i++)
        hold(0, (node_t)(10 + i % 20));
    size_t count = 0;
    frames_held(frames, 0, &count);
    cr_expect_lt(count, 1000, "%zu", count);
    expect_left(leave(0, 1), true, 0, SET1(30) - SET1(10));
}

Test(frames, only_threads_that_hold_something_stay_holders)
{
    static const node_t moved[] = {NODE_NONE, 1, 2};
    for (uint32_t thread = 0; thread < 1000; thread++) {
        find_thread(7 + thread);
        enter(thread, 1);
        hold(thread, 1);
        if (thread != 500)
            leave(thread, 1);
    }
    expect_number(frames_held_count(frames), 1);
    frames_move(frames, moved);
    expect_number(frames_holder_count(frames), 1);
    expect_number(frames_holder(frames, 0), 500);
    enter(7, 2);
    expect_number(frames_holder_count(frames), 1);
    hold(7, 2);
    hold(7, 1);
    expect_number(frames_holder_count(frames), 2);
    expect_number(frames_holder(frames, 1), 7);
    expect_number(frames_held_count(frames), 3);
}

/* A frame that holds few objects is named them often: its room fills and is cleaned each time.
 */
Test(frames, seven_nodes_held_15000_times)
{
    find_thread(7);
    enter(0, 1);
    hold(0, 1);
    enter(0, 2);
    for (int i = 0; i < 15000; i++)
        for (node_t node = 20; node < 27; node++)
            hold(0, node);
    expect_left(leave(0, 2), true, 0, SET1(27) - SET1(20));
    expect_left(leave(0, 1), true, 0, SET1(1));
}

Test(frames, repetitions_in_an_inner_frame_leave_the_outer_one_alone)
{
    find_thread(7);
    enter(0, 1);
    hold(0, 10);
    hold(0, 11);
    enter(0, 2);
    for (int i = 0; i < 10000; i++)
        hold(0, i % 2 ? 10 : 20);
    expect_left(leave(0, 2), true, 0, SET2(10, 20));
    expect_left(leave(0, 1), true, 0, SET2(10, 11));
}

Test(frames, a_frame_holds_a_hundred_thousand_nodes)
{
    enum { COUNT = 100000 };
    static bool seen[COUNT + 1];
    find_thread(7);
    enter(0, 1);
    for (int round = 0; round < 3; round++)
        for (node_t node = COUNT; node > 0; node--)
            hold(0, node);
    struct frames_left left = leave(0, 1);
    cr_expect_lt(left.held_count, 3 * COUNT);
    size_t distinct = 0;
    for (size_t i = 0; i < left.held_count; i++) {
        distinct += !seen[left.held[i]];
        seen[left.held[i]] = true;
    }
    cr_expect_eq(distinct, COUNT);
}

/* If each of these exits walked the stack, this would take minutes. */
Test(frames, unmatched_exits_of_a_deep_stack_walk_no_frames)
{
    enum { COUNT = 100000 };
    find_thread(7);
    for (uint64_t i = 0; i < COUNT; i++)
        enter(0, i);
    for (uint64_t i = 0; i < COUNT; i++)
        must(!leave(0, COUNT + i % 7).matched, "exit %" PRIu64, i);
    cr_expect_eq(frames_depth(frames, 0), COUNT);
    for (uint64_t i = COUNT; i-- > 0;)
        must(leave(0, i).matched, "exit of method %" PRIu64, i);
}

Test(frames, unmatched_exits_between_entries_and_exits_walk_no_frames)
{
    enum { COUNT = 100000 };
    find_thread(7);
    for (uint64_t i = 0; i < COUNT; i++)
        enter(0, i % 1000);
    for (uint64_t i = 0; i < COUNT; i++) {
        enter(0, 5000);
        must(!leave(0, 6000).matched, "exit %" PRIu64, i);
        must(leave(0, 5000).unwound == 0, "exit %" PRIu64, i);
    }
    cr_expect_eq(frames_depth(frames, 0), COUNT);
    struct frames_left left = leave(0, 0);
    expect_number(left.unwound, 999);
}

Test(frames, a_deep_stack_is_unwound_at_once)
{
    enum { COUNT = 1000000 };
    find_thread(7);
    enter(0, 1);
    hold(0, 10);
    for (int i = 0; i < COUNT; i++)
        enter(0, 2);
    hold(0, 20);
    expect_left(leave(0, 1), true, COUNT, SET2(10, 20));
    cr_expect_eq(frames_depth(frames, 0), 0);
}

/* A model: stacks that are searched from the top down. */
enum { MODEL_THREADS = 3, MODEL_DEPTH = 4000 };

struct model {
    uint64_t methods[MODEL_DEPTH];
    uint64_t held[MODEL_DEPTH];
    size_t depth;
};

static void model_leave(struct model *model, uint32_t thread, uint64_t method)
{
    size_t frame = model->depth;
    uint64_t held = 0;
    while (frame > 0 && model->methods[frame - 1] != method)
        frame--;
    bool matched = frame > 0;
    uint64_t unwound = matched ? model->depth - frame : 0;
    uint64_t own = matched ? model->held[frame - 1] : 0;
    while (matched && model->depth >= frame)
        held |= model->held[--model->depth];
    struct frames_left left = leave(thread, method);
    must(left.matched == matched && left.unwound == unwound &&
             set_of(left.held, left.held_count) == held &&
             set_of(left.held, left.own_count) == own,
         "exit of method %" PRIu64, method);
}

static void check_model(const struct model *model, uint32_t thread)
{
    uint64_t held = 0;
    for (size_t i = 0; i < model->depth; i++)
        held |= model->held[i];
    must(frames_depth(frames, thread) == model->depth && held_by_open_frames(thread) == held,
         "thread %u differs", thread);
}

Test(frames, random_operations_do_as_simple_stacks)
{
    static struct model models[MODEL_THREADS];
    uint64_t seed = 1;
    for (uint32_t thread = 0; thread < MODEL_THREADS; thread++)
        find_thread(thread);
    for (int i = 0; i < 200000; i++) {
        uint32_t thread = (uint32_t)random_below(&seed, MODEL_THREADS);
        struct model *model = &models[thread];
        uint64_t method = random_below(&seed, 12);
        /* Stacks mostly grow for 2,000 steps, and mostly shrink for the next 2,000. */
        uint64_t entries = i / 2000 % 2 ? 8 : 4, choice = random_below(&seed, 20);
        if (choice < entries && model->depth < MODEL_DEPTH) {
            enter(thread, method);
            model->methods[model->depth] = method;
            model->held[model->depth++] = 0;
        } else if (choice < 14) {
            node_t node = (node_t)random_below(&seed, 64);
            hold(thread, node);
            if (model->depth > 0 && node != NODE_NONE)
                model->held[model->depth - 1] |= SET1(node);
        } else {
            bool on_top = model->depth > 0 && random_below(&seed, 4) > 0;
            model_leave(model, thread, on_top ? model->methods[model->depth - 1] : method);
        }
        if (i % 64 == 0)
            check_model(model, thread);
    }
}
