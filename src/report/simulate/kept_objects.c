/* SPDX-License-Identifier: MIT */
/* Objects and slots stand in arrays, which are moved together when dead ones are released;
 * indexes lead to what lives alone. An id loses its meaning when its object dies, so that it
 * does not matter when that is released. */
#include "report/simulate/kept_objects.h"

#include "base/memory.h"
#include "report/simulate/early_names.h"

#include <inttypes.h>
#include <stdlib.h>

/* Objects, slots or early stores that there may be before any are released, by default. */
enum { KEPT_DEFAULT = 1 << 14 };

/* A size of so many bytes or more stands among large_sizes, at what it has more. */
static const uint32_t large_size = UINT32_C(1) << 31;

static const uint64_t most_number = UINT64_MAX >> KEPT_NUMBER_SHIFT;

static uint64_t id_of(const void *objects, node_t node)
{
    return ((const struct kept_objects *)objects)->items[node].id;
}

static uint64_t number_of(const void *objects, node_t node)
{
    return kept_number(&((const struct kept_objects *)objects)->items[node]);
}

enum status kept_objects_init(struct kept_objects *objects, struct failure *why)
{
    objects->ids = (struct node_index){.key_of = id_of, .objects = objects};
    objects->numbers = (struct node_index){.key_of = number_of, .objects = objects};
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
    objects->items[0] = (struct kept_object){.id = 0};
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
    node_index_free(&objects->ids);
    node_index_free(&objects->numbers);
    id_map_free(&objects->priors);
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

static enum status add_object(struct kept_objects *objects, uint64_t id, uint64_t facts,
                              node_t *node, struct failure *why)
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
    objects->items[*node] = (struct kept_object){.id = id, .facts = facts};
    return STATUS_OK;
}

static uint64_t facts_of(uint64_t number, enum heap_object_kind kind, enum kept_state state)
{
    return number << KEPT_NUMBER_SHIFT | (uint64_t)kind << KEPT_KIND_SHIFT | (uint64_t)state;
}

node_t kept_objects_meaning(const struct kept_objects *objects, uint64_t id)
{
    return node_index_find(&objects->ids, id);
}

/* Adds an object for a new name, unless what it will mean is never allocated. */
static enum status add_name(struct kept_objects *objects, uint64_t id, node_t *node,
                            struct failure *why)
{
    uint64_t facts = facts_of(objects->named, HEAP_ALLOCATED, KEPT_UNBORN);
    enum early_name meaning = NAME_ALLOCATED;
    node_t before;
    enum status status = STATUS_OK;
    if (objects->names)
        status = early_names_next(objects->names, id, &meaning, why);
    if (meaning == NAME_PRIOR)
        facts = facts_of(0, HEAP_PRIOR, KEPT_AWAITED);
    objects->named++;
    if (status != STATUS_OK || meaning == NAME_NEVER)
        return status;
    status = add_object(objects, id, facts, node, why);
    return status == STATUS_OK ? node_index_put(&objects->ids, id, *node, &before, why)
                               : status;
}

enum status kept_objects_name(struct kept_objects *objects, uint64_t id, node_t *node,
                              struct failure *why)
{
    *node = id == 0 ? NODE_NONE : node_index_find(&objects->ids, id);
    if (*node != NODE_NONE || id == 0)
        return STATUS_OK;
    if (objects->names && early_names_are_never(objects->names, id))
        return STATUS_OK;
    return add_name(objects, id, node, why);
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

/* Enters an object where its death will look it up. */
static enum status enter(struct kept_objects *objects, const struct heap_birth *birth,
                         node_t node, struct failure *why)
{
    node_t before;
    if (birth->kind != HEAP_PRIOR)
        return node_index_put(&objects->numbers, birth->number, node, &before, why);
    uint64_t *entry = id_map_insert(&objects->priors, birth->line);
    if (!entry)
        return fail_memory(why);
    *entry = node;
    return STATUS_OK;
}

/* Finds the object of a birth: the one that its id means if that is not born yet. */
static enum status find_born_object(struct kept_objects *objects,
                                    const struct heap_birth *birth, node_t *node,
                                    struct failure *why)
{
    node_t before;
    *node = node_index_find(&objects->ids, birth->id);
    if (*node != NODE_NONE && kept_state(&objects->items[*node]) < KEPT_LIVE)
        return STATUS_OK;
    TRY(add_object(objects, birth->id, facts_of(0, HEAP_ALLOCATED, KEPT_UNBORN), node, why));
    return node_index_put(&objects->ids, birth->id, *node, &before, why);
}

enum status kept_objects_allocate(struct kept_objects *objects, const struct heap_birth *birth,
                                  node_t *node, node_t *holders, struct failure *why)
{
    enum status status = find_born_object(objects, birth, node, why);
    if (status != STATUS_OK)
        return status;
    if (birth->number > most_number)
        return fail(why, STATUS_LIMIT, "The trace has more than %" PRIu64 " allocations",
                    most_number);
    struct kept_object *object = &objects->items[*node];
    *holders = object->holders;
    if (kept_state(object) == KEPT_UNBORN)
        count_references(objects, *node, 1);
    object->facts = facts_of(birth->number, birth->kind, KEPT_LIVE);
    status = set_size(objects, object, birth->size, why);
    return status == STATUS_OK ? enter(objects, birth, *node, why) : status;
}

node_t kept_objects_die(struct kept_objects *objects, const struct heap_death *death)
{
    node_t node = death->kind == HEAP_PRIOR ? (node_t)id_map_take(&objects->priors, death->line)
                                            : node_index_take(&objects->numbers, death->number);
    if (node == NODE_NONE)
        return node;
    struct kept_object *object = &objects->items[node];
    if (node_index_find(&objects->ids, object->id) == node)
        node_index_take(&objects->ids, object->id);
    set_state(object, KEPT_DEAD);
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

/* Whether the references of an object are those of a live one. */
static bool is_live(const struct kept_object *object)
{
    return kept_state(object) == KEPT_LIVE || kept_state(object) == KEPT_AWAITED;
}

enum status kept_objects_store(struct kept_objects *objects, const struct heap_store *store,
                               node_t *container, node_t *value, struct failure *why)
{
    node_t old = NODE_NONE;
    enum status status = kept_objects_name(objects, store->container, container, why);
    if (status == STATUS_OK)
        status = kept_objects_name(objects, store->value, value, why);
    if (status != STATUS_OK || *container == NODE_NONE)
        return status;
    status = slots_store(objects->slots, *container, &objects->items[*container].first,
                         store->field, *value, &old, why);
    if (status != STATUS_OK)
        return status;
    const struct kept_object *items = objects->items;
    if (objects->counts_references && is_live(&items[*container])) {
        objects->live_references[old]--;
        objects->live_references[*value]++;
    }
    if (*value != NODE_NONE && kept_state(&items[*value]) == KEPT_UNBORN)
        status = note_early(objects, *container, *value, why);
    return status;
}

static void renumber_priors(struct kept_objects *objects, const node_t *moved)
{
    struct id_map *map = &objects->priors;
    for (size_t i = 0; i < map->capacity; i++)
        if (map->slots[i].id != 0)
            map->slots[i].number = moved[map->slots[i].number];
}

/* Lists the early stores anew: those that still hold. */
static enum status renew_early(struct kept_objects *objects, struct failure *why)
{
    enum status status = STATUS_OK;
    objects->early_count = 1;
    for (size_t i = 1; i < objects->count; i++)
        if (kept_state(&objects->items[i]) == KEPT_UNBORN)
            objects->items[i].holders = 0;
    for (size_t i = 1; i < objects->count && status == STATUS_OK; i++) {
        slot_t slot = objects->items[i].first;
        for (node_t value;
             status == STATUS_OK && (value = slots_next(objects->slots, &slot)) != NODE_NONE;)
            if (kept_state(&objects->items[value]) == KEPT_UNBORN)
                status = note_early(objects, (node_t)i, value, why);
    }
    return status;
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
    node_index_renumber(&objects->ids, moved);
    node_index_renumber(&objects->numbers, moved);
    renumber_priors(objects, moved);
    return renew_early(objects, why);
}
