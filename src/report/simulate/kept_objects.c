/* SPDX-License-Identifier: MIT */
/* Objects and slots stand in arrays, which are moved together when dead ones are released. The
 * index leads to what stores may name alone, so that nearly nothing in it is dead. */
#include "report/simulate/kept_objects.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>

/* Objects, slots or early stores that there may be before any are released, by default. */
enum { KEPT_DEFAULT = 1 << 14 };

/* A size of so many bytes or more stands among large_sizes, at what it has more. */
static const uint32_t large_size = UINT32_C(1) << 31;

static const uint64_t most_number = UINT64_MAX >> KEPT_NUMBER_SHIFT;

enum status kept_objects_init(struct kept_objects *objects, struct failure *why)
{
    objects->items = array_grow(NULL, &objects->capacity, 1, sizeof *objects->items);
    objects->early = array_grow(NULL, &objects->early_capacity, 1, sizeof *objects->early);
    if (objects->counts_references)
        objects->live_references = array_grow(NULL, &objects->references_capacity, 1,
                                              sizeof *objects->live_references);
    if (!objects->items || !objects->early ||
        (objects->counts_references && !objects->live_references))
        return fail_memory(why);
    if (objects->live_references)
        objects->live_references[0] = 0;
    objects->items[0] = (struct kept_object){.facts = 0};
    objects->count = objects->early_count = 1;
    return slots_new(&objects->slots, why);
}

void kept_objects_free(struct kept_objects *objects)
{
    free(objects->items);
    free(objects->live_references);
    free(objects->large_sizes);
    free(objects->early);
    slots_free(objects->slots);
    id_map_free(&objects->nodes);
}

size_t kept_objects_most(size_t stayed, uint64_t window)
{
    size_t least = window ? (size_t)window : KEPT_DEFAULT, most = stayed + stayed / 4;
    return most > least ? most : least;
}

uint64_t kept_size(const struct kept_objects *objects, const struct kept_object *object)
{
    return object->size < large_size ? object->size
                                     : objects->large_sizes[object->size - large_size];
}

static enum status set_size(struct kept_objects *objects, struct kept_object *object,
                            uint64_t size, struct failure *why)
{
    object->size = (uint32_t)size;
    if (size < large_size)
        return STATUS_OK;
    if (objects->large_count == large_size)
        return fail(why, STATUS_LIMIT,
                    "More than %" PRIu32 " objects have %" PRIu32 " bytes or more", large_size,
                    large_size);
    if (!ARRAY_RESERVE(objects->large_sizes, objects->large_capacity, objects->large_count + 1))
        return fail_memory(why);
    object->size = large_size + (uint32_t)objects->large_count;
    objects->large_sizes[objects->large_count++] = size;
    return STATUS_OK;
}

static void set_state(struct kept_object *object, enum kept_state state)
{
    object->facts = (object->facts & ~UINT64_C(3)) | (uint64_t)state;
}

static uint64_t facts_of(uint64_t number, enum heap_object_kind kind, enum kept_state state)
{
    return number << KEPT_NUMBER_SHIFT | (uint64_t)kind << KEPT_KIND_SHIFT | (uint64_t)state;
}

/* Adds an object, which is in no list yet, and sets *node to it. */
static enum status append(struct kept_objects *objects, uint64_t facts, node_t *node,
                          struct failure *why)
{
    if (objects->count > NODE_MAX)
        return fail(why, STATUS_LIMIT, "A simulated heap has more than %" PRIu64 " objects",
                    (uint64_t)NODE_MAX);
    if (!ARRAY_RESERVE_SLOWLY(objects->items, objects->capacity, objects->count + 1))
        return fail_memory(why);
    if (objects->counts_references) {
        if (!ARRAY_RESERVE_SLOWLY(objects->live_references, objects->references_capacity,
                                  objects->count + 1))
            return fail_memory(why);
        objects->live_references[objects->count] = 0;
    }
    *node = (node_t)objects->count++;
    objects->items[*node] = (struct kept_object){.facts = facts};
    return STATUS_OK;
}

static enum status add_object(struct kept_objects *objects, uint64_t number,
                              enum heap_object_kind kind, enum kept_state state, node_t *node,
                              struct failure *why)
{
    if (number > most_number)
        return fail(why, STATUS_LIMIT, "The trace has more than %" PRIu64 " allocations",
                    most_number);
    TRY(append(objects, facts_of(number, kind, state), node, why));
    uint64_t *entry = id_map_insert(&objects->nodes, number);
    if (!entry)
        return fail_memory(why);
    *entry = *node;
    return STATUS_OK;
}

_Static_assert(NODE_NONE == 0, "id_map has 0 for what it has not");

/* The object that stores name by a number; NODE_NONE: there is none. */
static node_t node_of(const struct kept_objects *objects, uint64_t number)
{
    return (node_t)id_map_find(&objects->nodes, number);
}

/* Sets *node to an object that a store names, which is added if it is not born yet. */
static enum status find(struct kept_objects *objects, uint64_t number, node_t *node,
                        struct failure *why)
{
    *node = number == 0 ? NODE_NONE : node_of(objects, number);
    if (*node != NODE_NONE || number <= objects->born)
        return STATUS_OK;
    if (heap_events_is_prior(objects->events, number))
        return add_object(objects, number, HEAP_PRIOR, KEPT_LIVE, node, why);
    return add_object(objects, number, HEAP_ALLOCATED, KEPT_UNBORN, node, why);
}

/* Counts the references that a live object makes, or with -1 no longer has. */
static void count_references(struct kept_objects *objects, node_t container, int change)
{
    slot_t slot = objects->items[container].first;
    if (!objects->counts_references)
        return;
    for (node_t value; (value = slots_next(objects->slots, &slot)) != NODE_NONE;)
        objects->live_references[value] += (uint32_t)change;
}

enum status kept_objects_allocate(struct kept_objects *objects, const struct heap_birth *birth,
                                  node_t *node, node_t *holders, struct failure *why)
{
    *node = node_of(objects, birth->number);
    if (*node == NODE_NONE)
        TRY(add_object(objects, birth->number, birth->kind, KEPT_UNBORN, node, why));
    struct kept_object *object = &objects->items[*node];
    objects->born = birth->number;
    *holders = object->holders;
    if (kept_state(object) == KEPT_UNBORN)
        count_references(objects, *node, 1);
    object->facts = facts_of(birth->number, birth->kind, KEPT_LIVE);
    return set_size(objects, object, birth->size, why);
}

node_t kept_objects_die(struct kept_objects *objects, const struct heap_death *death)
{
    node_t node = death->is_early ? node_of(objects, death->number)
                                  : (node_t)id_map_take(&objects->nodes, death->number);
    if (node == NODE_NONE)
        return node;
    struct kept_object *object = &objects->items[node];
    set_state(object, death->is_early ? KEPT_DEAD_EARLY : KEPT_DEAD);
    object->died_before = death->before;
    count_references(objects, node, -1);
    return node;
}

/* Notes that `container` refers to `value`, which is not born yet. */
static enum status note_early(struct kept_objects *objects, node_t container, node_t value,
                              struct failure *why)
{
    if (objects->early_count > NODE_MAX)
        return fail(why, STATUS_LIMIT, "More than %" PRIu64 " stores precede allocations",
                    (uint64_t)NODE_MAX);
    if (!ARRAY_RESERVE_SLOWLY(objects->early, objects->early_capacity,
                              objects->early_count + 1))
        return fail_memory(why);
    objects->early[objects->early_count] =
        (struct early_store){container, objects->items[value].holders};
    objects->items[value].holders = (node_t)objects->early_count++;
    return STATUS_OK;
}

enum status kept_objects_store(struct kept_objects *objects, const struct heap_store *store,
                               node_t *container, node_t *value, struct failure *why)
{
    node_t old = NODE_NONE;
    TRY(find(objects, store->container, container, why));
    TRY(find(objects, store->value, value, why));
    if (*container == NODE_NONE)
        return STATUS_OK;
    TRY(slots_store(objects->slots, *container, &objects->items[*container].first, store->field,
                    *value, &old, why));
    const struct kept_object *items = objects->items;
    if (objects->counts_references && kept_state(&items[*container]) == KEPT_LIVE) {
        objects->live_references[old]--;
        objects->live_references[*value]++;
    }
    if (*value != NODE_NONE && kept_state(&items[*value]) == KEPT_UNBORN)
        return note_early(objects, *container, *value, why);
    return STATUS_OK;
}

/* Takes what is released out of the index, where early deaths have left it. */
static void forget_early(struct kept_objects *objects, const node_t *moved)
{
    for (size_t i = 1; objects->counts_references && i < objects->count; i++)
        if (moved[i] == 0 && kept_state(&objects->items[i]) == KEPT_DEAD_EARLY)
            id_map_take(&objects->nodes, kept_number(&objects->items[i]));
}

/* Lists the early stores anew: those that still hold. */
static enum status renew_early(struct kept_objects *objects, struct failure *why)
{
    objects->early_count = 1;
    for (size_t i = 1; i < objects->count; i++)
        if (kept_state(&objects->items[i]) == KEPT_UNBORN)
            objects->items[i].holders = 0;
    for (size_t i = 1; i < objects->count; i++) {
        slot_t slot = objects->items[i].first;
        for (node_t value; (value = slots_next(objects->slots, &slot)) != NODE_NONE;)
            if (kept_state(&objects->items[value]) == KEPT_UNBORN)
                TRY(note_early(objects, (node_t)i, value, why));
    }
    return STATUS_OK;
}

/* Leads the index to where objects have moved. */
static void renumber(struct kept_objects *objects, const node_t *moved)
{
    for (size_t i = 0; i < objects->nodes.capacity; i++)
        if (objects->nodes.slots[i].id != 0)
            objects->nodes.slots[i].number = moved[objects->nodes.slots[i].number];
}

/* Moves an object to a node before it. */
static void move_object(struct kept_objects *objects, size_t from, node_t to)
{
    objects->items[to] = objects->items[from];
    objects->items[to].first = slots_moved(objects->slots, objects->items[from].first);
    if (objects->live_references)
        objects->live_references[to] = objects->live_references[from];
}

enum status kept_objects_move(struct kept_objects *objects, node_t *moved, struct failure *why)
{
    size_t count = 1;
    forget_early(objects, moved);
    TRY(slots_move_begin(objects->slots, why));
    for (size_t i = 1; i < objects->count; i++) {
        if (moved[i] == 0)
            continue;
        slots_move_list(objects->slots, objects->items[i].first);
        moved[i] = (node_t)count++;
    }
    moved[0] = NODE_NONE;
    slots_move_end(objects->slots, moved);
    for (size_t i = 1; i < objects->count; i++)
        if (moved[i] != 0)
            move_object(objects, i, moved[i]);
    slots_move_done(objects->slots);
    objects->count = count;
    renumber(objects, moved);
    return renew_early(objects, why);
}
