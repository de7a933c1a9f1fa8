/* SPDX-License-Identifier: MIT */
#include "base/memory.h"
#include "report/simulate/kept_objects.h"
#include "support.h"

#include <stdlib.h>

enum { OBJECTS = 20000 };

/* Objects 1 to OBJECTS - 1 are allocated, and die before the trace has named them last. */
static void let_die_early(struct kept_objects *objects)
{
    node_t node, holders;
    for (uint64_t number = 1; number < OBJECTS; number++) {
        const struct heap_birth birth = {.number = number, .size = 16};
        ok(kept_objects_allocate(objects, &birth, &node, &holders, &cause));
        cr_assert_eq(node, number);
    }
    for (uint64_t number = 1; number < OBJECTS; number++) {
        const struct heap_death death = {.number = number, .before = OBJECTS, .is_early = true};
        cr_assert_eq(kept_objects_die(objects, &death), number);
    }
}

/* Releases every second object. */
static void release_half(struct kept_objects *objects)
{
    node_t *moved = array_new(OBJECTS, sizeof *moved);
    cr_assert_not_null(moved);
    for (size_t node = 2; node < OBJECTS; node += 2)
        moved[node] = 1;
    ok(kept_objects_move(objects, moved, &cause));
    free(moved);
}

/* So many that most are displaced from their slots in the index. */
Test(kept_objects, early_deaths_that_are_released_hide_no_other_object)
{
    struct kept_objects objects = {.counts_references = true};
    ok(kept_objects_init(&objects, &cause));
    let_die_early(&objects);
    release_half(&objects);
    for (uint64_t number = 1; number < OBJECTS; number++) {
        const struct heap_store store = {.container = number, .field = 1, .value = number};
        node_t container, value;
        ok(kept_objects_store(&objects, &store, &container, &value, &cause));
        cr_assert_eq(container, number % 2 == 1 ? NODE_NONE : number / 2);
        cr_assert_eq(value, container);
    }
    kept_objects_free(&objects);
}

/* A store after an early death is one of the dead object. */
Test(kept_objects, what_dies_early_is_still_meant)
{
    struct kept_objects objects = {.counts_references = true};
    const struct heap_store store = {.container = 1, .field = 1, .value = 2};
    const struct heap_birth first = {.number = 1, .size = 16}, second = {.number = 2};
    const struct heap_death death = {.number = 2, .before = 3, .is_early = true};
    node_t container, value, holders;
    ok(kept_objects_init(&objects, &cause));
    ok(kept_objects_allocate(&objects, &first, &container, &holders, &cause));
    ok(kept_objects_allocate(&objects, &second, &value, &holders, &cause));
    cr_assert_eq(kept_objects_die(&objects, &death), value);
    ok(kept_objects_store(&objects, &store, &container, &value, &cause));
    cr_assert_eq(value, 2);
    cr_assert(kept_is_dead(&objects.items[value]));
    cr_assert_eq(objects.live_references[value], 1);
    kept_objects_free(&objects);
}
