/* SPDX-License-Identifier: MIT */
/* When nodes are released, the nodes that stay move together; their slots and the lists of
 * frames follow them. */
#include "heap/frames_inline.h"
#include "heap/heap.h"
#include "heap/objects_inline.h"
#include "support.h"

static struct heap heap;

static void make_heap(void)
{
    ok(heap_init(&heap, &cause));
}

static void free_heap(void)
{
    heap_free(&heap);
}

TestSuite(heap_move, .init = make_heap, .fini = free_heap);

static node_t allocate(uint64_t id, uint64_t last_use)
{
    node_t before, node;
    enum allocation how;
    ok(objects_allocate(heap.objects, id, 3, &before, &node, &how, &cause));
    objects_use(heap.objects, node, last_use);
    return node;
}

static node_t store(node_t container, uint64_t field, node_t value)
{
    node_t old = NODE_MAX;
    ok(slots_store(heap.slots, container, objects_first_slot(heap.objects, container), field,
                   value, &old, &cause));
    return old;
}

static node_t find(uint64_t id)
{
    node_t node;
    ok(objects_find(heap.objects, id, &node, &cause));
    return node;
}

static void expect_targets(node_t container, const node_t *targets, size_t count)
{
    slot_t slot = *objects_first_slot(heap.objects, container);
    for (size_t i = 0; i < count; i++)
        cr_expect_eq(slots_next(heap.slots, &slot), targets[i]);
    cr_expect_eq(slots_next(heap.slots, &slot), NODE_NONE);
}

/* Object 1 is released; it has a slot between two slots of object 2. The number of each field
 * is that of its mark. */
Test(heap_move, slots_that_stay_keep_their_marks)
{
    static const node_t moved[] = {0, 0, 1};
    ok(slots_keep_marks(heap.slots, &cause));
    node_t one = allocate(10, 5), two = allocate(20, 6);
    const node_t containers[] = {two, one, two};
    for (uint64_t field = 1; field <= ITEMS(containers); field++) {
        store(containers[field - 1], field, two);
        expect_number(slots_exchange_mark(heap.slots, 100 + field), 0);
    }
    ok(heap_move(&heap, moved, &cause));
    store(1, 4, 1);
    expect_number(slots_exchange_mark(heap.slots, 104), 0);
    slot_t slot = *objects_first_slot(heap.objects, 1);
    static const uint64_t fields[] = {4, 3, 1};
    for (size_t i = 0; i < ITEMS(fields); i++) {
        uint64_t field;
        node_t target;
        expect_number(slots_mark(heap.slots, slot), 100 + fields[i]);
        slots_look(heap.slots, &slot, &field, &target);
        expect_number(field, fields[i]);
        expect_number(target, 1);
    }
}

Test(heap_move, nodes_that_stay_keep_their_order_and_facts)
{
    static const node_t moved[] = {0, 0, 1, 0, 2};
    allocate(10, 5);
    allocate(20, 6);
    allocate(30, 7);
    allocate(40, 8);
    ok(heap_move(&heap, moved, &cause));
    expect_number(objects_count(heap.objects), 3);
    expect_number(objects_id(heap.objects, 1), 20);
    expect_number(objects_id(heap.objects, 2), 40);
    expect_number(objects_thread(heap.objects, 2), 3);
    expect_number(objects_last_uses(heap.objects)[1], 6);
    expect_number(objects_last_uses(heap.objects)[2], 8);
    size_t count;
    const node_t *allocations = objects_allocations(heap.objects, &count);
    cr_assert_eq(count, 2);
    cr_expect_eq(allocations[0], 1);
    cr_expect_eq(allocations[1], 2);
}

Test(heap_move, ids_mean_the_last_node_that_has_them_and_stays)
{
    static const node_t moved[] = {0, 1, 0, 2, 3, 0};
    allocate(10, 0);
    allocate(20, 0);
    allocate(30, 0);
    allocate(10, 0);
    allocate(30, 0);
    ok(heap_move(&heap, moved, &cause));
    cr_expect_eq(find(10), 3);
    cr_expect_eq(find(30), 2);
    cr_expect_eq(find(0), NODE_NONE);
    cr_expect_eq(find(20), 4); /* a new one */
}

Test(heap_move, slots_follow_their_containers_and_targets)
{
    static const node_t moved[] = {0, 1, 0, 2, 3};
    static const node_t statics[] = {2}, of_first[] = {3, 1}, of_third[] = {1};
    node_t first = allocate(10, 0), dead = allocate(20, 0), third = allocate(30, 0);
    node_t fourth = allocate(40, 0);
    store(dead, 1, first);
    store(first, 1, first);
    store(NODE_NONE, 1, third);
    store(dead, 2, third);
    store(first, 2, fourth);
    store(third, 1, first);
    store(third, 2, fourth);
    store(third, 2, NODE_NONE);
    ok(heap_move(&heap, moved, &cause));
    expect_targets(NODE_NONE, statics, 1);
    expect_targets(1, of_first, 2);
    expect_targets(2, of_third, 1);
    expect_targets(3, NULL, 0);
    expect_number(slots_present(heap.slots), 5);
    expect_number(slots_count(heap.slots), 7);
    cr_expect_eq(store(1, 1, NODE_NONE), 1);
    cr_expect_eq(store(2, 2, 3), NODE_NONE);
    expect_number(slots_count(heap.slots), 7); /* the slot that was cleared is still there */
}

/* All but the second of 1,002 nodes stay. */
Test(heap_move, containers_with_many_slots_find_them_afterwards)
{
    static node_t moved[1003];
    node_t hub = allocate(1, 0), dead = allocate(2, 0);
    for (uint64_t i = 0; i < 1000; i++) {
        node_t node = allocate(10 + i, 0);
        store(hub, i, node);
        store(dead, i, node);
        store(NODE_NONE, i, node);
        moved[node] = node - 1;
    }
    store(hub, 1000, hub);
    moved[hub] = 1;
    ok(heap_move(&heap, moved, &cause));
    for (uint64_t i = 0; i < 1000; i++) {
        must(store(1, i, NODE_NONE) == (node_t)(i + 2), "slot %" PRIu64 " is lost", i);
        must(store(NODE_NONE, i, 1) == (node_t)(i + 2), "static %" PRIu64 " is lost", i);
    }
    cr_expect_eq(store(1, 1000, NODE_NONE), 1);
    cr_expect_eq(store(1, 1001, 2), NODE_NONE);
}

Test(heap_move, frames_hold_what_has_moved)
{
    static const node_t moved[] = {0, 0, 1, 2};
    uint32_t thread;
    size_t count;
    allocate(10, 0);
    node_t second = allocate(20, 0), third = allocate(30, 0);
    ok(frames_find_thread(heap.frames, 7, &thread, &cause));
    ok(frames_enter(heap.frames, thread, 1, &cause));
    ok(frames_hold(heap.frames, thread, third, &cause));
    ok(frames_enter(heap.frames, thread, 2, &cause));
    ok(frames_hold(heap.frames, thread, second, &cause));
    expect_number(frames_held_count(heap.frames), 2);
    ok(heap_move(&heap, moved, &cause));
    const node_t *held = frames_held(heap.frames, thread, &count);
    cr_assert_eq(count, 2);
    cr_expect_eq(held[0], 2);
    cr_expect_eq(held[1], 1);
}

Test(heap_move, frames_can_be_popped_by_their_number)
{
    struct frames_left left;
    uint32_t thread;
    ok(frames_find_thread(heap.frames, 7, &thread, &cause));
    for (node_t node = 1; node <= 4; node++) {
        ok(frames_enter(heap.frames, thread, node, &cause));
        ok(frames_hold(heap.frames, thread, 10 * node, &cause));
    }
    frames_pop_count(heap.frames, thread, 0, &left);
    cr_expect(!left.matched && left.held_count == 0 && left.unwound == 0);
    frames_pop_count(heap.frames, thread, 1, &left);
    cr_expect(left.matched && left.held_count == 1 && left.unwound == 0);
    cr_expect_eq(left.held[0], 40);
    frames_pop_count(heap.frames, thread, 3, &left);
    cr_expect(left.matched && left.held_count == 3 && left.unwound == 2);
    cr_expect_eq(left.own_count, 1);
    cr_expect_eq(left.held[0], 10);
    cr_expect_eq(left.held[2], 30);
    expect_number(frames_depth(heap.frames, thread), 0);
}
