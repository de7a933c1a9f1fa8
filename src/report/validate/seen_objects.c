/* SPDX-License-Identifier: MIT */
/* An id nearly always means one object. If an object begins while an older one with its id is
 * alive, a map links the newer node to the older. So each step has constant cost, however often
 * an id repeats. */
#include "report/validate/seen_objects.h"

#include "base/map.h"
#include "base/memory.h"
#include "heap/objects_inline.h"

#include <stdlib.h>

struct seen_objects {
    struct objects *objects;
    struct seen_object *entries; /* by node */
    size_t count;
    size_t capacity;
    /* Node -> the next older node with the same id that is not dead; 0: none. */
    struct map older;
};

enum status seen_objects_new(struct seen_objects **out, struct failure *why)
{
    struct seen_objects *seen_objects = calloc(1, sizeof *seen_objects);
    if (!seen_objects)
        return fail_memory(why);
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
    while (seen_objects->count < nodes)
        seen_objects->entries[seen_objects->count++] = (struct seen_object){.line = 0};
    return STATUS_OK;
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
    *died = entry->death.line;
    if (*died == 0)
        return STATUS_OK;
    node_t older = older_of(seen_objects, node);
    if (older == NODE_NONE)
        return STATUS_OK;
    unlink_older(seen_objects, node, older);
    seen_objects->entries[older].death = entry->death;
    entry->death = (struct seen_death){.line = 0};
    *died = 0;
    return STATUS_OK;
}

/* Links the node of an id that is allocated again to the node before. */
static enum status link_older(struct seen_objects *seen_objects, node_t node, node_t before,
                              struct failure *why)
{
    node_t older =
        seen_objects->entries[before].death.line == 0 ? before : older_of(seen_objects, before);
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
    entry->born = birth->now;
    entry->is_prior = birth->is_prior;
    return how == ALLOCATION_REPEATED ? link_older(seen_objects, node, before, why) : STATUS_OK;
}

enum status seen_objects_die(struct seen_objects *seen_objects, uint64_t id,
                             const struct seen_death *death, enum death_verdict *verdict,
                             uint64_t *died, struct failure *why)
{
    node_t node;
    enum status status = find(seen_objects, id, &node, why);
    if (status != STATUS_OK)
        return status;
    *verdict =
        objects_is_allocated(seen_objects->objects, node) ? VERDICT_DIES : VERDICT_UNKNOWN;
    *died = seen_objects->entries[node].death.line;
    if (*verdict == VERDICT_UNKNOWN)
        return STATUS_OK;
    node_t dying = node;
    if (*died != 0) {
        dying = older_of(seen_objects, node);
        if (dying == NODE_NONE) {
            *verdict = VERDICT_DEAD;
            return STATUS_OK;
        }
        unlink_older(seen_objects, node, dying);
    }
    seen_objects->entries[dying].death = *death;
    return STATUS_OK;
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
    free(seen_objects);
}
