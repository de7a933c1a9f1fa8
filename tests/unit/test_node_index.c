/* SPDX-License-Identifier: MIT */
#include "report/simulate/node_index.h"
#include "support.h"

enum { OBJECTS = 20000 };

static uint64_t key_in_table(const void *objects, node_t node)
{
    const uint64_t *keys = objects;
    return keys[node];
}

static void put_all(struct node_index *index, const uint64_t *keys)
{
    node_t before;
    for (node_t node = 1; node < OBJECTS; node++) {
        ok(node_index_put(index, keys[node], node, &before, &cause));
        cr_assert_eq(before, NODE_NONE);
    }
}

/* There are so many that most of them are displaced from their slots. */
Test(node_index, what_is_taken_out_hides_no_other_object)
{
    static uint64_t keys[OBJECTS];
    struct node_index index = {.key_of = key_in_table, .objects = keys};
    for (node_t node = 1; node < OBJECTS; node++)
        keys[node] = (uint64_t)node * 16;
    put_all(&index, keys);
    for (node_t node = 1; node < OBJECTS; node += 2)
        cr_assert_eq(node_index_take(&index, keys[node]), node);
    for (node_t node = 1; node < OBJECTS; node++)
        cr_assert_eq(node_index_find(&index, keys[node]), node % 2 == 1 ? NODE_NONE : node);
    node_index_free(&index);
}
