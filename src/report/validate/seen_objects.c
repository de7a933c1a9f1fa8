/* SPDX-License-Identifier: MIT */
/* An id nearly always means one object. If an object begins while an older one with its id is
 * alive, a map links the newer node to the older. So each step has constant cost, however often
 * an id repeats. That is for violations, which go by the positions of deaths. What has a death
 * and how long it lived is found by life records, as for the reports on recorded deaths. */
#include "report/validate/seen_objects.h"

#include "base/map.h"
#include "base/memory.h"
#include "heap/objects_inline.h"
#include "merlin/life_records.h"

#include <stdlib.h>

struct seen_objects {
    struct objects *objects;
    struct seen_object *entries; /* by node */
    size_t count;
    size_t capacity;
    /* Node -> the next older node with the same id that is not dead; 0: none. */
    struct map older;
    struct life_records lives;
    bool by_position; /* seen_objects_settle */
};

enum status seen_objects_new(struct seen_objects **out, struct failure *why)
{
    struct seen_objects *seen_objects = calloc(1, sizeof *seen_objects);
    if (!seen_objects)
        return fail_memory(why);
    seen_objects->lives.keeps_deaths = true;
    enum status status = objects_new(&seen_objects->objects, why);
    if (status == STATUS_OK)
        *out = seen_objects;
    else
        seen_objects_free(seen_objects);
    return status;
}

/* Makes entries for nodes that have none. */
static enum status add_entries(struct seen_objects *seen_objects, struct failure *why)
{
    size_t nodes = objects_count(seen_objects->objects);
    if (!ARRAY_RESERVE(seen_objects->entries, seen_objects->capacity, nodes))
        return fail_memory(why);
    enum status status = life_records_reserve(&seen_objects->lives, nodes, why);
    while (status == STATUS_OK && seen_objects->count < nodes)
        seen_objects->entries[seen_objects->count++] = (struct seen_object){.line = 0};
    return status;
}

static enum status find(struct seen_objects *seen_objects, uint64_t id, node_t *node,
                        struct failure *why)
{
    enum status status = objects_find(seen_objects->objects, id, node, why);
    if (status != STATUS_OK || *node < seen_objects->count)
        return status;
    return add_entries(seen_objects, why);
}

/* The next older node with the same id that is not dead, or NODE_NONE. */
static node_t older_of(const struct seen_objects *seen_objects, node_t node)
{
    const uint64_t *older = map_find(&seen_objects->older, node);
    return older ? (node_t)*older : NODE_NONE;
}

/* Removes `older`, which dies, from the links of the newer `node`. */
static void unlink_older(struct seen_objects *seen_objects, node_t node, node_t older)
{
    *map_find(&seen_objects->older, node) = older_of(seen_objects, older);
}

enum status seen_objects_mention(struct seen_objects *seen_objects, uint64_t id, uint64_t line,
                                 uint64_t *died, struct failure *why)
{
    node_t node;
    enum status status = find(seen_objects, id, &node, why);
    if (status != STATUS_OK)
        return status;
    struct seen_object *entry = &seen_objects->entries[node];
    if (entry->mentions++ == 0)
        entry->line = line;
    if (seen_objects->lives.positions.count > 0)
        life_records_revive(&seen_objects->lives, node);
    *died = entry->died_line;
    if (*died == 0)
        return STATUS_OK;
    node_t older = older_of(seen_objects, node);
    if (older == NODE_NONE)
        return STATUS_OK;
    unlink_older(seen_objects, node, older);
    seen_objects->entries[older].died_line = entry->died_line;
    entry->died_line = 0;
    *died = 0;
    return STATUS_OK;
}

/* Links the node of an id that is allocated again to the node before. */
static enum status link_older(struct seen_objects *seen_objects, node_t node, node_t before,
                              struct failure *why)
{
    node_t older =
        seen_objects->entries[before].died_line == 0 ? before : older_of(seen_objects, before);
    if (older == NODE_NONE)
        return STATUS_OK;
    uint64_t *link = map_insert(&seen_objects->older, node);
    if (!link)
        return fail_memory(why);
    *link = older;
    return STATUS_OK;
}

enum status seen_objects_allocate(struct seen_objects *seen_objects, uint64_t id,
                                  const struct seen_birth *birth, uint64_t *earlier,
                                  bool *adopted, struct failure *why)
{
    node_t before, node;
    enum allocation how;
    enum status status = find(seen_objects, id, &before, why);
    if (status == STATUS_OK)
        status = objects_allocate(seen_objects->objects, id, 0, &node, &how, why);
    if (status == STATUS_OK)
        status = add_entries(seen_objects, why);
    if (status != STATUS_OK)
        return status;
    struct seen_object *entry = &seen_objects->entries[node];
    *earlier = how == ALLOCATION_REPEATED ? seen_objects->entries[before].line : 0;
    *adopted = entry->mentions > 0;
    entry->mentions++;
    entry->line = birth->line;
    entry->is_prior = birth->is_prior;
    seen_objects->lives.births[node] = birth->now;
    if (how != ALLOCATION_REPEATED)
        return STATUS_OK;
    life_records_repeat(&seen_objects->lives, node, before);
    return link_older(seen_objects, node, before, why);
}

/* Adds the latest death, of the id that means the allocated `node`, to the life records. */
static enum status end_life(struct seen_objects *seen_objects, node_t node,
                            const struct seen_death *death, struct failure *why)
{
    struct life_records *lives = &seen_objects->lives;
    uint64_t number = lives->positions.count;
    if (death->timed < death->position)
        return life_records_die_late(lives, node, death->timed, number, why);
    life_records_die(lives, node, death->timed, number);
    return STATUS_OK;
}

/* The allocated `node`, or an older one with its id, dies by position in line `line`. */
static enum death_verdict seen_objects_kill(struct seen_objects *seen_objects, node_t node,
                                            uint64_t line)
{
    node_t dying = node;
    if (seen_objects->entries[node].died_line != 0) {
        dying = older_of(seen_objects, node);
        if (dying == NODE_NONE)
            return VERDICT_DEAD;
        unlink_older(seen_objects, node, dying);
    }
    seen_objects->entries[dying].died_line = line;
    return VERDICT_DIES;
}

enum status seen_objects_die(struct seen_objects *seen_objects, uint64_t id,
                             const struct seen_death *death, enum death_verdict *verdict,
                             uint64_t *died, struct failure *why)
{
    node_t node;
    *verdict = VERDICT_UNKNOWN;
    enum status status = ascending_add(&seen_objects->lives.positions, death->position, why);
    if (status == STATUS_OK)
        status = find(seen_objects, id, &node, why);
    if (status != STATUS_OK || !objects_is_allocated(seen_objects->objects, node))
        return status;
    *died = seen_objects->entries[node].died_line;
    *verdict = seen_objects_kill(seen_objects, node, death->line);
    return end_life(seen_objects, node, death, why);
}

void seen_objects_pass(struct seen_objects *seen_objects)
{
    if (seen_objects->lives.late_count > 0)
        life_records_settle(&seen_objects->lives);
}

void seen_objects_settle(struct seen_objects *seen_objects, bool by_position)
{
    struct life_records *lives = &seen_objects->lives;
    seen_objects->by_position = by_position;
    if (by_position)
        life_records_take_positions(lives);
    else
        life_records_settle(lives);
}

bool seen_objects_lived(const struct seen_objects *seen_objects, node_t node, uint64_t *lived)
{
    const struct life_records *lives = &seen_objects->lives;
    const struct life_death *death = &lives->deaths[node];
    if (!death->is_dead)
        return false;
    uint64_t born = lives->births[node], died = death->tick;
    if (seen_objects->by_position)
        died = ascending_at(&lives->positions, (size_t)death->number - 1);
    *lived = died > born ? died - born : 0;
    return true;
}

const struct seen_object *seen_objects_entries(const struct seen_objects *seen_objects,
                                               size_t *count)
{
    *count = seen_objects->count;
    return seen_objects->entries;
}

const struct objects *seen_objects_objects(const struct seen_objects *seen_objects)
{
    return seen_objects->objects;
}

void seen_objects_free(struct seen_objects *seen_objects)
{
    if (!seen_objects)
        return;
    objects_free(seen_objects->objects);
    free(seen_objects->entries);
    map_free(&seen_objects->older);
    life_records_free(&seen_objects->lives);
    free(seen_objects);
}
