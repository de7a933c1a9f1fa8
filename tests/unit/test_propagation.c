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

/* Allocates an object and sets its last use; returns its node. Nodes are numbered from 1. */
static node_t object(uint64_t last_use)
{
    node_t before, node;
    enum allocation how;
    ok(objects_allocate(heap.objects, objects_count(heap.objects), 0, &before, &node, &how,
                        &cause));
    objects_use(heap.objects, node, last_use);
    return node;
}

/* The same for an object that is named and never allocated. */
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

/* So many nodes that recursion would overflow the C stack, and that second visits would take
 * long. */
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

/* Computes death times another way: goes over all references until nothing changes. */
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
        /* Few containers are static fields (node 0), or nearly all objects would be immortal.
         */
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

/* The progress at the latest call of progress, and the number of calls. */
struct looks {
    uint64_t done, of, count;
};

static void look(void *context, uint64_t done, uint64_t of)
{
    struct looks *looks = context;
    cr_expect_gt(done, looks->done);
    *looks = (struct looks){done, of, looks->count + 1};
}

Test(propagation, reports_how_far_it_is)
{
    enum { OBJECTS = 100000 };
    struct looks looks = {.count = 0};
    const struct propagation_progress progress = {look, &looks};
    for (int i = 0; i < OBJECTS; i++)
        object((uint64_t)i % 7);
    free(deaths);
    ok(propagate(&heap, UNALLOCATED_LAST_USE, NULL, NULL, &progress, &deaths, &cause));
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
    /* The objects that frames hold, and those never allocated, are not propagated from either.
     */
    ok(frames_find_thread(heap.frames, 5, &thread, &cause));
    ok(frames_enter(heap.frames, thread, 1, &cause));
    ok(frames_hold(heap.frames, thread, object(1), &cause));
    stranger(2);
    cr_expect_eq(
        propagate(&heap, UNALLOCATED_IMMORTAL, NULL, &interrupt, NULL, &deaths, &cause),
        STATUS_INTERRUPTED);
    cr_expect_null(deaths);
}
