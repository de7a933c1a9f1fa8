/* SPDX-License-Identifier: MIT */
#include "heap/objects_inline.h"
#include "support.h"

#include <stdlib.h>

static struct objects *objects;

static void make_objects(void)
{
    ok(objects_new(&objects, &cause));
}

static void free_objects(void)
{
    objects_free(objects);
}

TestSuite(objects, .init = make_objects, .fini = free_objects);

static node_t find(uint64_t id)
{
    node_t node = NODE_MAX;
    ok(objects_find(objects, id, &node, &cause));
    return node;
}

static node_t allocate(uint64_t id, uint32_t thread, enum allocation expected)
{
    node_t before = NODE_MAX, node = NODE_MAX, known = objects_known(objects, id);
    enum allocation how;
    ok(objects_allocate(objects, id, thread, &before, &node, &how, &cause));
    expect_number(before, known);
    must(how == expected, "allocation %d of %" PRIu64 ", not %d", how, id, expected);
    return node;
}

Test(objects, allocations_are_listed_in_their_own_order)
{
    node_t late = find(30), never = find(20);
    node_t first = allocate(10, 0, ALLOCATION_NEW);
    allocate(30, 0, ALLOCATION_ADOPTED);
    node_t last = allocate(10, 0, ALLOCATION_REPEATED);
    size_t count = 0;
    const node_t *allocations = objects_allocations(objects, &count);
    cr_assert_eq(count, 3);
    cr_expect_eq(allocations[0], first);
    cr_expect_eq(allocations[1], late);
    cr_expect_eq(allocations[2], last);
    cr_expect_not(objects_is_allocated(objects, never));
}

Test(objects, thread_numbers_are_kept_up_to_the_largest)
{
    node_t node = allocate(10, UINT32_MAX - 1, ALLOCATION_NEW);
    cr_expect(objects_is_allocated(objects, node));
    expect_number(objects_thread(objects, node), UINT32_MAX - 1);
}

Test(objects, dropping_the_index_leaves_the_nodes)
{
    node_t node = allocate(10, 3, ALLOCATION_NEW);
    objects_use(objects, node, 8);
    objects_drop_index(objects);
    objects_drop_index(objects);
    expect_number(objects_id(objects, node), 10);
    expect_number(objects_thread(objects, node), 3);
    expect_number(objects_last_uses(objects)[node], 8);
    size_t count = 0;
    cr_expect_eq(*objects_allocations(objects, &count), node);
}

/* The cache entry of an id, computed as in objects.c, in order to find ids that share an entry.
 * If objects.c changes, these tests still pass, but no longer test collisions. */
static uint64_t cache_entry(uint64_t id)
{
    return (id * UINT64_C(0x9E3779B97F4A7C15)) >> 48;
}

/* The lowest id above `id` that has the cache entry of `like`. */
static uint64_t next_alike(uint64_t id, uint64_t like)
{
    do
        id++;
    while (cache_entry(id) != cache_entry(like));
    return id;
}

Test(objects, an_id_that_shares_the_cache_entry_of_0_is_not_0)
{
    uint64_t id = next_alike(0, 0);
    node_t node = find(id);
    cr_expect_eq(node, 1);
    cr_expect_eq(find(0), NODE_NONE);
    cr_expect_eq(find(id), node);
    cr_expect_eq(objects_count(objects), 2);
}

Test(objects, more_ids_than_any_cache_has_entries_stay_apart)
{
    enum { COUNT = 200000 };
    for (uint64_t i = 1; i <= COUNT; i++)
        must(find(i * 8) == i, "id %" PRIu64 " has no new node", i * 8);
    for (uint64_t i = COUNT; i >= 1; i--)
        must(find(i * 8) == i, "id %" PRIu64 " has lost its node", i * 8);
    cr_expect_eq(objects_count(objects), COUNT + 1);
}

/* A model of the table: plain arrays, which are slow. */
enum { MODEL_IDS = 300, MODEL_NODES = 100000 };

struct model {
    uint64_t ids[MODEL_IDS];
    node_t means[MODEL_IDS]; /* NODE_NONE: never named */
    bool allocated[MODEL_NODES];
    uint64_t last_uses[MODEL_NODES];
    size_t count;
};

static void model_allocation(struct model *model, size_t which)
{
    node_t *means = &model->means[which];
    enum allocation expected = *means == NODE_NONE         ? ALLOCATION_NEW
                               : !model->allocated[*means] ? ALLOCATION_ADOPTED
                                                           : ALLOCATION_REPEATED;
    if (expected != ALLOCATION_ADOPTED)
        *means = (node_t)model->count++;
    model->allocated[*means] = true;
    must(allocate(model->ids[which], 0, expected) == *means, "the wrong node is allocated");
}

static void model_use(struct model *model, size_t which, uint64_t now)
{
    node_t *means = &model->means[which];
    if (*means == NODE_NONE)
        *means = (node_t)model->count++;
    must(find(model->ids[which]) == *means, "the wrong node is found");
    objects_use(objects, *means, now);
    model->last_uses[*means] = now;
}

Test(objects, random_operations_do_as_a_simple_table)
{
    struct model *model = calloc(1, sizeof *model);
    cr_assert_not_null(model);
    model->count = 1;
    /* Some ids are close together, some far apart, and some share a cache entry. */
    for (size_t i = 0; i < MODEL_IDS; i++)
        model->ids[i] = i < 100   ? i + 1
                        : i < 200 ? UINT64_MAX - i
                                  : next_alike(i == 200 ? 1000 : model->ids[i - 1], 77);
    uint64_t seed = 1;
    for (uint64_t now = 0; now < 50000; now++) {
        size_t which = random_below(&seed, MODEL_IDS);
        if (random_below(&seed, 3) == 0)
            model_allocation(model, which);
        else
            model_use(model, which, now);
    }
    cr_assert_eq(objects_count(objects), model->count);
    for (node_t node = 1; node < model->count; node++)
        must(objects_is_allocated(objects, node) == model->allocated[node] &&
                 objects_last_uses(objects)[node] == model->last_uses[node],
             "node %u differs", node);
    free(model);
}
