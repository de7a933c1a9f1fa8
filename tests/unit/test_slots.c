/* SPDX-License-Identifier: MIT */
#include "heap/slots.h"
#include "support.h"

#include <malloc.h>
#include <stdlib.h>

static struct slots *slots;

static void make_slots(void)
{
    ok(slots_new(&slots, &cause));
}

static void free_slots(void)
{
    slots_free(slots);
}

TestSuite(slots, .init = make_slots, .fini = free_slots);

/* container.field = value; returns the old value. */
static node_t store(node_t container, slot_t *first, uint64_t field, node_t value)
{
    node_t old = NODE_MAX;
    ok(slots_store(slots, container, first, field, value, &old, &cause));
    return old;
}

/* The number of slots from `slot` on that refer to a node; *sum gets the sum of these nodes. */
static size_t walk(slot_t slot, uint64_t *sum)
{
    size_t count = 0;
    node_t target;
    *sum = 0;
    while ((target = slots_next(slots, &slot)) != NODE_NONE) {
        count++;
        *sum += target;
    }
    return count;
}

static void expect_walk(slot_t first, size_t count, uint64_t sum)
{
    uint64_t found;
    expect_number(walk(first, &found), count);
    expect_number(found, sum);
}

Test(slots, null_in_a_new_field_takes_no_room)
{
    slot_t first = 0;
    cr_expect_eq(store(1, &first, 5, NODE_NONE), NODE_NONE);
    cr_expect_eq(first, 0);
    cr_expect_eq(slots_count(slots), 0);
}

#ifndef SANITIZED /* the sanitizer's malloc keeps no account for mallinfo2 */
Test(slots, null_in_a_new_field_of_a_hub_takes_no_room)
{
    enum { FIELDS = 100, MANY = 100000 };
    slot_t first = 0;
    for (uint64_t field = 0; field < FIELDS; field++)
        store(1, &first, field, 2);
    store(1, &first, FIELDS, NODE_NONE);
    size_t before = mallinfo2().uordblks;
    for (uint64_t field = FIELDS; field < MANY; field++)
        must(store(1, &first, field, NODE_NONE) == NODE_NONE, "field %zu", (size_t)field);
    cr_expect_leq(mallinfo2().uordblks, before);
}
#endif

Test(slots, marks_are_0_at_first)
{
    enum { FIELDS = 100 };
    slot_t first = 0;
    node_t target;
    uint64_t field, sum = 0, count = 0;
    mallopt(M_PERTURB, 0x55); /* malloc returns memory that is not 0 */
    ok(slots_keep_marks(slots, &cause));
    for (uint64_t i = 1; i <= FIELDS; i++) {
        store(1, &first, i, (node_t)i);
        if (i % 2 == 0)
            expect_number(slots_exchange_mark(slots, i), 0);
    }
    for (slot_t slot = first; slot != 0;) {
        uint64_t mark = slots_mark(slots, slot);
        slots_look(slots, &slot, &field, &target);
        expect_number(field, target);
        expect_number(mark, field % 2 == 0 ? field : 0);
        sum += field;
        count++;
    }
    expect_number(count, FIELDS);
    expect_number(sum, FIELDS * (FIELDS + 1) / 2);
    store(1, &first, 4, 9);
    expect_number(slots_exchange_mark(slots, 5), 4);
}

/* Stores into a container with `count` fields, and expects the same results whether the slots
 * are a list or a hub of any size. */
static void live_through(uint64_t count)
{
    slot_t first = 0;
    uint64_t sum = 0;
    for (uint64_t i = 0; i < count; i++) {
        /* low and high numbers of fields */
        uint64_t field = i % 2 ? UINT64_MAX - i : i;
        must(store(1, &first, field, (node_t)(i + 1)) == NODE_NONE, "field %" PRIu64, field);
        sum += i + 1;
        uint64_t found;
        must(walk(first, &found) == i + 1 && found == sum, "after field %" PRIu64, field);
    }
    cr_expect_eq(slots_count(slots), count);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t field = i % 2 ? UINT64_MAX - i : i;
        must(store(1, &first, field, (node_t)(i + 1001)) == i + 1, "field %" PRIu64, field);
    }
    expect_walk(first, count, sum + 1000 * count);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t field = i % 2 ? UINT64_MAX - i : i;
        must(store(1, &first, field, NODE_NONE) == i + 1001, "field %" PRIu64, field);
    }
    expect_walk(first, 0, 0);
    cr_expect_eq(store(1, &first, 5000, NODE_NONE), NODE_NONE);
    cr_expect_eq(store(1, &first, 5000, 3), NODE_NONE);
    cr_expect_eq(store(1, &first, 5000, 4), 3);
    expect_walk(first, 1, 4);
    cr_expect_eq(slots_count(slots), count + 1, "cleared fields keep their slots");
}

Test(slots, containers_of_every_size_keep_their_fields)
{
    static const uint64_t counts[] = {1, 7, 8, 9, 10, 1000};
    for (size_t i = 0; i < ITEMS(counts); i++) {
        live_through(counts[i]);
        free_slots();
        make_slots();
    }
}

/* If each of these stores walked a list, this would take minutes. */
Test(slots, stores_into_a_container_with_many_fields_walk_no_list)
{
    enum { COUNT = 300000 };
    slot_t first = 0;
    for (uint64_t field = 0; field < COUNT; field++)
        must(store(1, &first, field, 7) == NODE_NONE, "field %" PRIu64, field);
    for (uint64_t field = 0; field < COUNT; field++)
        must(store(1, &first, field, 8) == 7, "field %" PRIu64, field);
    expect_walk(first, COUNT, 8 * COUNT);
}

enum { CONTAINERS = 6, FIELDS = 40 };

Test(slots, random_stores_do_as_a_simple_table)
{
    /* A list has at most 8 slots, so these are lists and hubs. */
    static const uint64_t widths[CONTAINERS] = {1, 8, 9, 16, 32, FIELDS};
    static node_t model[CONTAINERS][FIELDS];
    slot_t first[CONTAINERS] = {0};
    uint64_t seed = 1;
    for (int i = 0; i < 100000; i++) {
        size_t container = random_below(&seed, CONTAINERS);
        size_t field = random_below(&seed, widths[container]);
        node_t value = (node_t)random_below(&seed, 4) * (node_t)(i + 1);
        node_t old = store((node_t)container, &first[container], field * 1000003, value);
        must(old == model[container][field], "step %d: %u, not %u", i, old,
             model[container][field]);
        model[container][field] = value;
    }
    for (size_t container = 0; container < CONTAINERS; container++) {
        uint64_t sum = 0, count = 0;
        for (size_t field = 0; field < FIELDS; field++) {
            sum += model[container][field];
            count += model[container][field] != NODE_NONE;
        }
        expect_walk(first[container], count, sum);
    }
}
