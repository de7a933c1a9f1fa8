/* SPDX-License-Identifier: MIT */
#include "heap/frames_inline.h"
#include "heap/objects_inline.h"
#include "merlin/propagation.h"
#include "support.h"

#include <stdlib.h>

static struct heap heap;
static uint64_t *deaths;

static void make_heap(void)
{
    ok(heap_init(&heap, &cause));
}

static void free_heap(void)
{
    free(deaths);
    heap_free(&heap);
}

TestSuite(propagation, .init = make_heap, .fini = free_heap);

/* A new allocated object, whose last use is then. Nodes are numbered from 1 on. */
static node_t object(uint64_t last_use)
{
    node_t node;
    enum allocation how;
    ok(objects_allocate(heap.objects, objects_count(heap.objects), 0, &node, &how, &cause));
    objects_use(heap.objects, node, last_use);
    return node;
}

/* A new object that is never allocated. */
static node_t stranger(uint64_t last_use)
{
    node_t node;
    ok(objects_find(heap.objects, 1000000 + objects_count(heap.objects), &node, &cause));
    objects_use(heap.objects, node, last_use);
    return node;
}

static void refer(node_t container, uint64_t field, node_t value)
{
    node_t old;
    ok(slots_store(heap.slots, container, objects_first_slot(heap.objects, container), field,
                   value, &old, &cause));
}

static void run(enum unallocated unallocated)
{
    free(deaths);
    deaths = NULL;
    ok(propagate(&heap, unallocated, NULL, NULL, NULL, &deaths, &cause));
}

Test(propagation, a_heap_without_objects_is_allowed)
{
    run(UNALLOCATED_LAST_USE);
    cr_expect_not_null(deaths);
}

Test(propagation, an_object_that_nothing_reaches_dies_at_its_last_use)
{
    node_t early = object(0), late = object(9);
    run(UNALLOCATED_LAST_USE);
    expect_number(deaths[early], 0);
    expect_number(deaths[late], 9);
}

Test(propagation, an_object_lives_as_long_as_what_refers_to_it)
{
    node_t long_lived = object(9), short_lived = object(3);
    refer(long_lived, 1, short_lived);
    run(UNALLOCATED_LAST_USE);
    expect_number(deaths[short_lived], 9);
    expect_number(deaths[long_lived], 9);
}

Test(propagation, an_object_outlives_what_refers_to_it)
{
    node_t short_lived = object(3), long_lived = object(9);
    refer(short_lived, 1, long_lived);
    run(UNALLOCATED_LAST_USE);
    expect_number(deaths[short_lived], 3);
    expect_number(deaths[long_lived], 9);
}

Test(propagation, the_latest_of_several_roots_counts)
{
    node_t early = object(5), late = object(8), between = object(6), target = object(2);
    refer(early, 1, target);
    refer(late, 1, target);
    refer(between, 1, target);
    run(UNALLOCATED_LAST_USE);
    expect_number(deaths[target], 8);
    expect_number(deaths[early], 5);
    expect_number(deaths[between], 6);
}

Test(propagation, a_later_root_is_not_stopped_by_an_earlier_one_on_its_way)
{
    node_t early = object(5), late = object(8), middle = object(1), target = object(2);
    refer(early, 1, middle);
    refer(late, 1, middle);
    refer(middle, 1, target);
    run(UNALLOCATED_LAST_USE);
    expect_number(deaths[middle], 8);
    expect_number(deaths[target], 8);
    expect_number(deaths[early], 5);
}

Test(propagation, a_reference_that_was_cleared_keeps_nothing_alive)
{
    node_t holder = object(9), target = object(3);
    refer(holder, 1, target);
    refer(holder, 1, NODE_NONE);
    run(UNALLOCATED_LAST_USE);
    expect_number(deaths[target], 3);
}

Test(propagation, a_self_reference_keeps_nothing_alive)
{
    node_t node = object(4);
    refer(node, 1, node);
    run(UNALLOCATED_LAST_USE);
    expect_number(deaths[node], 4);
}

Test(propagation, a_cycle_dies_as_a_whole_at_its_latest_use)
{
    node_t a = object(4), b = object(7), c = object(5), hanger_on = object(0);
    refer(a, 1, b);
    refer(b, 1, c);
    refer(c, 1, a);
    refer(a, 2, hanger_on);
    run(UNALLOCATED_LAST_USE);
    expect_number(deaths[a], 7);
    expect_number(deaths[b], 7);
    expect_number(deaths[c], 7);
    expect_number(deaths[hanger_on], 7);
}

Test(propagation, what_static_fields_reach_never_dies)
{
    node_t direct = object(1), behind = object(0), beside = object(2);
    refer(NODE_NONE, 77, direct);
    refer(direct, 1, behind);
    refer(beside, 1, behind);
    run(UNALLOCATED_LAST_USE);
    expect_number(deaths[direct], NEVER);
    expect_number(deaths[behind], NEVER);
    expect_number(deaths[beside], 2);
}

Test(propagation, what_was_in_a_static_field_may_die)
{
    node_t former = object(1), present = object(2);
    refer(NODE_NONE, 77, former);
    refer(NODE_NONE, 77, present);
    run(UNALLOCATED_LAST_USE);
    expect_number(deaths[former], 1);
    expect_number(deaths[present], NEVER);
}

Test(propagation, what_open_frames_hold_never_dies)
{
    node_t outer = object(1), inner = object(1), elsewhere = object(1), popped = object(1);
    node_t behind = object(0);
    struct frames_left left;
    uint32_t thread;
    for (uint64_t id = 5; id <= 6; id++) {
        ok(frames_find_thread(heap.frames, id, &thread, &cause));
        ok(frames_enter(heap.frames, thread, 1, &cause));
        ok(frames_hold(heap.frames, thread, id == 5 ? outer : elsewhere, &cause));
    }
    ok(frames_enter(heap.frames, 0, 2, &cause));
    ok(frames_hold(heap.frames, 0, inner, &cause));
    ok(frames_enter(heap.frames, 0, 3, &cause));
    ok(frames_hold(heap.frames, 0, popped, &cause));
    ok(frames_leave(heap.frames, 0, 3, &left, &cause));
    refer(inner, 1, behind);
    run(UNALLOCATED_LAST_USE);
    expect_number(deaths[outer], NEVER);
    expect_number(deaths[inner], NEVER);
    expect_number(deaths[elsewhere], NEVER);
    expect_number(deaths[behind], NEVER);
    expect_number(deaths[popped], 1);
}

Test(propagation, an_unallocated_object_is_like_any_other)
{
    node_t unallocated = stranger(6), target = object(2), holder = object(8);
    refer(unallocated, 1, target);
    run(UNALLOCATED_LAST_USE);
    expect_number(deaths[unallocated], 6);
    expect_number(deaths[target], 6);
    refer(holder, 1, unallocated);
    run(UNALLOCATED_LAST_USE);
    expect_number(deaths[target], 8);
}

Test(propagation, an_unallocated_object_is_a_root_if_it_is_immortal)
{
    node_t unallocated = stranger(6), target = object(2), behind = object(1), other = object(3);
    refer(unallocated, 1, target);
    refer(target, 1, behind);
    run(UNALLOCATED_IMMORTAL);
    expect_number(deaths[unallocated], NEVER);
    expect_number(deaths[target], NEVER);
    expect_number(deaths[behind], NEVER);
    expect_number(deaths[other], 3);
}

/* Where recursion on the C stack or a second visit of a node would show. */
enum { MILLION = 1000000 };

static void make_chain(void)
{
    for (node_t node = 1; node <= MILLION; node++)
        object(node % 1000);
    for (node_t node = 1; node < MILLION; node++)
        refer(node, 1, node + 1);
}

Test(propagation, a_chain_of_a_million_lives_as_long_as_its_head)
{
    make_chain();
    objects_use(heap.objects, 1, 5000);
    run(UNALLOCATED_LAST_USE);
    for (node_t node = 1; node <= MILLION; node++)
        must(deaths[node] == 5000, "node %u dies at %" PRIu64, node, deaths[node]);
}

Test(propagation, the_tail_of_a_chain_outlives_its_head)
{
    make_chain();
    objects_use(heap.objects, 500000, 5000);
    run(UNALLOCATED_LAST_USE);
    expect_number(deaths[1], 1);
    expect_number(deaths[2], 2);
    expect_number(deaths[999], 999);
    expect_number(deaths[1000], 999);
    expect_number(deaths[499999], 999);
    expect_number(deaths[500000], 5000);
    expect_number(deaths[MILLION], 5000);
}

Test(propagation, a_cycle_of_a_million_dies_at_its_latest_use)
{
    make_chain();
    refer(MILLION, 1, 1);
    objects_use(heap.objects, 777777, 5000);
    run(UNALLOCATED_LAST_USE);
    for (node_t node = 1; node <= MILLION; node++)
        must(deaths[node] == 5000, "node %u dies at %" PRIu64, node, deaths[node]);
}

Test(propagation, a_star_of_a_million_lives_as_long_as_its_centre)
{
    node_t centre = object(2000);
    for (uint64_t i = 1; i < MILLION; i++)
        refer(centre, i, object(i % 4000));
    run(UNALLOCATED_LAST_USE);
    for (node_t node = 2; node <= MILLION; node++) {
        uint64_t own = (node - 1) % 4000;
        must(deaths[node] == (own > 2000 ? own : 2000), "node %u", node);
    }
}

/* Death times by sweeping over all references until nothing changes. */
static void relax(uint64_t *expected, size_t nodes)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (node_t node = 0; node < nodes; node++) {
            slot_t slot = *objects_first_slot(heap.objects, node);
            node_t target;
            while ((target = slots_next(heap.slots, &slot)) != NODE_NONE)
                if (expected[target] < expected[node]) {
                    expected[target] = expected[node];
                    changed = true;
                }
        }
    }
}

static void expect_random_graph(uint64_t seed, node_t count, size_t references)
{
    uint64_t expected[200] = {NEVER};
    for (node_t node = 1; node <= count; node++) {
        expected[node] = random_below(&seed, 50);
        object(expected[node]);
    }
    for (size_t i = 0; i < references; i++) {
        /* Statics seldom, or all would live for ever. */
        node_t from = (node_t)random_below(&seed, count + 1);
        if (from == NODE_NONE && random_below(&seed, 4))
            continue;
        refer(from, random_below(&seed, 3), (node_t)random_below(&seed, count + 1));
    }
    relax(expected, count + 1);
    run(UNALLOCATED_LAST_USE);
    for (node_t node = 1; node <= count; node++)
        must(deaths[node] == expected[node], "graph %" PRIu64 ", node %u", seed, node);
}

Test(propagation, random_graphs_agree_with_repeated_sweeps)
{
    for (uint64_t seed = 1; seed <= 200; seed++) {
        expect_random_graph(seed, (node_t)(seed % 40 + 2), seed % 97);
        heap_free(&heap);
        ok(heap_init(&heap, &cause));
    }
}

/* How far it was at the latest look, and how many looks there were. */
struct looks {
    uint64_t done, of, count;
};

static void look(void *context, uint64_t done, uint64_t of)
{
    struct looks *looks = context;
    cr_expect_gt(done, looks->done);
    *looks = (struct looks){done, of, looks->count + 1};
}

Test(propagation, tells_how_far_it_is)
{
    enum { OBJECTS = 100000 };
    struct looks looks = {.count = 0};
    const struct propagation_watch watch = {look, &looks};
    for (int i = 0; i < OBJECTS; i++)
        object((uint64_t)i % 7);
    free(deaths);
    ok(propagate(&heap, UNALLOCATED_LAST_USE, NULL, NULL, &watch, &deaths, &cause));
    cr_expect_gt(looks.count, 4);
    cr_expect_gt(looks.done, OBJECTS * 4 / 5);
    cr_expect_leq(looks.done, looks.of);
    cr_expect_lt(looks.of, OBJECTS + 10);
}

Test(propagation, stops_when_asked_to)
{
    struct interrupt interrupt = {.signal = 15, .descriptor = -1};
    uint32_t thread;
    free(deaths);
    deaths = NULL;
    cr_expect_eq(
        propagate(&heap, UNALLOCATED_LAST_USE, NULL, &interrupt, NULL, &deaths, &cause),
        STATUS_INTERRUPTED);
    cr_expect_null(deaths);
    /* Neither does it go on to what frames hold or what is never allocated. */
    ok(frames_find_thread(heap.frames, 5, &thread, &cause));
    ok(frames_enter(heap.frames, thread, 1, &cause));
    ok(frames_hold(heap.frames, thread, object(1), &cause));
    stranger(2);
    cr_expect_eq(
        propagate(&heap, UNALLOCATED_IMMORTAL, NULL, &interrupt, NULL, &deaths, &cause),
        STATUS_INTERRUPTED);
    cr_expect_null(deaths);
}
