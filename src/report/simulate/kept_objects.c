/* SPDX-License-Identifier: MIT */
/* Objects and slots stand in arrays, which are moved together when dead ones are released; maps
 * lead to what lives alone. An id loses its meaning when its object dies, so that it does not
 * matter when that is released. */
#include "report/simulate/kept_objects.h"

#include <inttypes.h>
#include <stdlib.h>

enum status kept_objects_init(struct kept_objects *objects, struct failure *why)
{
    objects->items = array_grow(NULL, &objects->capacity, 1, sizeof *objects->items);
    objects->early = array_grow(NULL, &objects->early_capacity, 1, sizeof *objects->early);
    if (!objects->items || !objects->early)
        return fail_memory(why);
    objects->count = objects->early_count = 1;
    return slots_new(&objects->slots, why);
}

void kept_objects_free(struct kept_objects *objects)
{
    free(objects->items);
    free(objects->early);
    free(objects->hidden);
    slots_free(objects->slots);
    id_map_free(&objects->ids);
    id_map_free(&objects->numbers);
    id_map_free(&objects->priors);
}

static enum status add_object(struct kept_objects *objects, uint64_t id, node_t *node,
                              struct failure *why)
{
    if (objects->count > NODE_MAX)
        return fail(why, STATUS_LIMIT, "A simulated heap has more than %" PRIu64 " objects",
                    (uint64_t)NODE_MAX);
    struct kept_object *items =
        array_grow(objects->items, &objects->capacity, objects->count + 1, sizeof *items);
    if (!items)
        return fail_memory(why);
    objects->items = items;
    *node = (node_t)objects->count++;
    items[*node] = (struct kept_object){.id = id, .state = KEPT_UNBORN};
    return STATUS_OK;
}

/* What an id means; an object that is not born if it means nothing yet. */
static enum status find_named(struct kept_objects *objects, uint64_t id, node_t *node,
                              struct failure *why)
{
    *node = NODE_NONE;
    if (id == 0)
        return STATUS_OK;
    uint64_t *known = id_map_insert(&objects->ids, id);
    if (!known)
        return fail_memory(why);
    if (*known == 0) {
        enum status status = add_object(objects, id, node, why);
        *known = *node;
        return status;
    }
    *node = (node_t)*known;
    return STATUS_OK;
}

/* Counts the references that a live object makes, or with -1 no longer has. */
static void count_references(struct kept_objects *objects, node_t container, int change)
{
    slot_t slot = objects->items[container].first;
    if (!objects->counts_references)
        return;
    for (node_t value; (value = slots_next(objects->slots, &slot)) != NODE_NONE;)
        objects->items[value].live_references += (uint32_t)change;
}

/* Another prior object takes the key of one that lives. */
static enum status hide_prior(struct kept_objects *objects, uint64_t key, node_t node,
                              struct failure *why)
{
    struct hidden_prior *hidden = array_grow(objects->hidden, &objects->hidden_capacity,
                                             objects->hidden_count + 1, sizeof *hidden);
    if (!hidden)
        return fail_memory(why);
    objects->hidden = hidden;
    hidden[objects->hidden_count++] = (struct hidden_prior){key, node};
    return STATUS_OK;
}

/* Makes the death of an object find it. */
static enum status enter(struct kept_objects *objects, const struct heap_birth *birth,
                         node_t node, struct failure *why)
{
    bool is_prior = birth->kind == HEAP_PRIOR;
    uint64_t prior = objects->are_renumbered ? birth->order : birth->id;
    uint64_t key = is_prior ? prior : birth->number + 1;
    uint64_t *entry = id_map_insert(is_prior ? &objects->priors : &objects->numbers, key);
    if (!entry)
        return fail_memory(why);
    node_t before = (node_t)*entry;
    *entry = node;
    return before == NODE_NONE ? STATUS_OK : hide_prior(objects, key, before, why);
}

/* The object that a birth is of: the one that its id means if that is not born yet. */
static enum status find_born_object(struct kept_objects *objects,
                                    const struct heap_birth *birth, node_t *node,
                                    struct failure *why)
{
    enum status status = find_named(objects, birth->id, node, why);
    if (status != STATUS_OK || objects->items[*node].state == KEPT_UNBORN)
        return status;
    status = add_object(objects, birth->id, node, why);
    if (status != STATUS_OK)
        return status;
    uint64_t *entry = id_map_insert(&objects->ids, birth->id);
    if (!entry)
        return fail_memory(why);
    *entry = *node;
    return STATUS_OK;
}

enum status kept_objects_bear(struct kept_objects *objects, const struct heap_birth *birth,
                              node_t *node, struct failure *why)
{
    enum status status = find_born_object(objects, birth, node, why);
    if (status != STATUS_OK)
        return status;
    struct kept_object *object = &objects->items[*node];
    object->number = birth->number;
    object->size = birth->size;
    object->kind = (uint8_t)birth->kind;
    object->state = KEPT_LIVE;
    count_references(objects, *node, 1);
    return enter(objects, birth, *node, why);
}

/* The prior object that dies: of several with one id the one that stands where it says. */
static node_t take_prior(struct kept_objects *objects, const struct heap_death *death)
{
    for (size_t i = 0; i < objects->hidden_count; i++) {
        struct hidden_prior *hidden = &objects->hidden[i];
        const struct kept_object *object = &objects->items[hidden->node];
        node_t node = hidden->node;
        if (hidden->key != death->id || object->number != death->number ||
            object->size != death->size)
            continue;
        *hidden = objects->hidden[--objects->hidden_count];
        return node;
    }
    return (node_t)id_map_take(&objects->priors, death->id);
}

node_t kept_objects_kill(struct kept_objects *objects, const struct heap_death *death)
{
    node_t node = death->kind == HEAP_PRIOR
                      ? take_prior(objects, death)
                      : (node_t)id_map_take(&objects->numbers, death->number + 1);
    if (node == NODE_NONE)
        return node;
    struct kept_object *object = &objects->items[node];
    uint64_t meaning = id_map_take(&objects->ids, object->id);
    if (meaning != 0 && meaning != node)
        *id_map_insert(&objects->ids, object->id) = meaning; /* there is room: it was there */
    object->state = KEPT_DEAD;
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
    struct early_store *early = array_grow(objects->early, &objects->early_capacity,
                                           objects->early_count + 1, sizeof *early);
    if (!early)
        return fail_memory(why);
    objects->early = early;
    early[objects->early_count] =
        (struct early_store){container, objects->items[value].holders};
    objects->items[value].holders = (node_t)objects->early_count++;
    return STATUS_OK;
}

enum status kept_objects_store(struct kept_objects *objects, const struct heap_store *store,
                               node_t *container, node_t *value, struct failure *why)
{
    node_t old = NODE_NONE;
    enum status status = find_named(objects, store->container, container, why);
    if (status == STATUS_OK)
        status = find_named(objects, store->value, value, why);
    if (status == STATUS_OK)
        status = slots_store(objects->slots, *container, &objects->items[*container].first,
                             store->field, *value, &old, why);
    if (status != STATUS_OK)
        return status;
    struct kept_object *items = objects->items;
    if (objects->counts_references && items[*container].state == KEPT_LIVE) {
        items[old].live_references--;
        items[*value].live_references++;
    }
    if (*value != NODE_NONE && items[*value].state == KEPT_UNBORN)
        status = note_early(objects, *container, *value, why);
    return status;
}

static void renumber_map(struct id_map *map, const node_t *moved)
{
    for (size_t i = 0; i < map->capacity; i++)
        if (map->places[i].id != 0)
            map->places[i].number = moved[map->places[i].number];
}

/* Lists the early stores anew: those that are still in place. */
static enum status renew_early(struct kept_objects *objects, struct failure *why)
{
    enum status status = STATUS_OK;
    objects->early_count = 1;
    for (size_t i = 1; i < objects->count; i++)
        objects->items[i].holders = 0;
    for (size_t i = 1; i < objects->count && status == STATUS_OK; i++) {
        slot_t slot = objects->items[i].first;
        for (node_t value;
             status == STATUS_OK && (value = slots_next(objects->slots, &slot)) != NODE_NONE;)
            if (objects->items[value].state == KEPT_UNBORN)
                status = note_early(objects, (node_t)i, value, why);
    }
    return status;
}

enum status kept_objects_move(struct kept_objects *objects, node_t *moved, struct failure *why)
{
    struct kept_object *items = objects->items;
    size_t count = 1;
    enum status status = slots_move_begin(objects->slots, why);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 1; i < objects->count; i++) {
        if (moved[i] == 0)
            continue;
        slots_move_list(objects->slots, items[i].first);
        moved[i] = (node_t)count++;
    }
    moved[0] = NODE_NONE;
    slots_move_end(objects->slots, moved);
    for (size_t i = 1; i < objects->count; i++) {
        if (moved[i] == 0)
            continue;
        items[moved[i]] = items[i];
        items[moved[i]].first = slots_moved(objects->slots, items[i].first);
    }
    objects->count = count;
    renumber_map(&objects->ids, moved);
    renumber_map(&objects->numbers, moved);
    renumber_map(&objects->priors, moved);
    for (size_t i = 0; i < objects->hidden_count; i++)
        objects->hidden[i].node = moved[objects->hidden[i].node];
    return renew_early(objects, why);
}
