/* SPDX-License-Identifier: MIT */
/* An id nearly always means one object. If an object begins while an older one with its id is
 * alive, a map links the newer node to the older. So each step has constant cost, however often
 * an id repeats. That is for violations, which go by the positions of deaths. What has a death
 * and how long it lived is found by input_deaths.h, as for the reports on recorded deaths: when
 * all is read, and by times where these count. Only a newest object is ever named, so as far as
 * the trace has been read, both are one rule. */
#include "report/validate/seen_objects.h"

#include "base/memory.h"
#include "heap/objects_inline.h"

#include <stdlib.h>

enum status seen_objects_init(struct seen_objects *seen_objects, struct failure *why)
{
    *seen_objects = (struct seen_objects){.objects = NULL};
    return objects_new(&seen_objects->objects, why);
}

/* Makes entries for nodes that have none. */
static enum status add_entries(struct seen_objects *seen_objects, struct failure *why)
{
    size_t nodes = objects_count(seen_objects->objects);
    if (!ARRAY_RESERVE(seen_objects->entries, seen_objects->capacity, nodes) ||
        !ARRAY_RESERVE(seen_objects->uses, seen_objects->use_capacity, nodes))
        return fail_memory(why);
    TRY(input_deaths_reserve(&seen_objects->deaths, nodes, why));
    while (seen_objects->count < nodes)
        seen_objects->entries[seen_objects->count++] = (struct seen_object){.line = 0};
    return STATUS_OK;
}

static enum status find(struct seen_objects *seen_objects, uint64_t id, node_t *node,
                        struct failure *why)
{
    TRY(objects_find(seen_objects->objects, id, node, why));
    return *node < seen_objects->count ? STATUS_OK : add_entries(seen_objects, why);
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

enum status seen_objects_mention(struct seen_objects *seen_objects, uint64_t id,
                                 const struct proof *at, uint64_t *died, struct failure *why)
{
    node_t node;
    TRY(find(seen_objects, id, &node, why));
    struct seen_object *entry = &seen_objects->entries[node];
    if (entry->mentions++ == 0)
        entry->line = at->record;
    seen_objects->uses[node] = *at;
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
    TRY(find(seen_objects, id, &before, why));
    TRY(objects_allocate(seen_objects->objects, id, 0, &before, &node, &how, why));
    TRY(add_entries(seen_objects, why));
    struct seen_object *entry = &seen_objects->entries[node];
    *earlier = how == ALLOCATION_REPEATED ? seen_objects->entries[before].line : 0;
    *adopted = entry->mentions > 0;
    entry->mentions++;
    entry->line = birth->line;
    entry->is_prior = birth->is_prior;
    seen_objects->deaths.births[node] = birth->now;
    seen_objects->uses[node] = (struct proof){birth->line, birth->now};
    if (how != ALLOCATION_REPEATED)
        return STATUS_OK;
    TRY(input_deaths_repeat(&seen_objects->deaths, node, before, why));
    return link_older(seen_objects, node, before, why);
}

/* Adds the latest death, of the id that means the allocated `node`. */
static enum status end_life(struct seen_objects *seen_objects, node_t node,
                            const struct seen_death *death, struct failure *why)
{
    const struct input_death recorded = {
        .at = {death->timed, death_place(death->after, death->at_boundary)},
        .number = seen_objects->deaths.positions.count,
    };
    return input_deaths_add(&seen_objects->deaths, node, &recorded, why);
}

/* The allocated `node`, or an older one with its id, dies by position in line `line`. */
static enum death_verdict die_by_position(struct seen_objects *seen_objects, node_t node,
                                          uint64_t line)
{
    node_t dying = node;
    if (seen_objects->entries[node].died_line != 0) {
        dying = older_of(seen_objects, node);
        if (dying == NODE_NONE)
            return DEATH_OF_DEAD;
        unlink_older(seen_objects, node, dying);
    }
    seen_objects->entries[dying].died_line = line;
    return DEATH_OF_LIVE;
}

enum status seen_objects_die(struct seen_objects *seen_objects, uint64_t id,
                             const struct seen_death *death, enum death_verdict *verdict,
                             uint64_t *died, struct failure *why)
{
    node_t node;
    *verdict = DEATH_OF_UNKNOWN;
    TRY(input_deaths_position(&seen_objects->deaths, death->position, 0, why));
    TRY(find(seen_objects, id, &node, why));
    if (!objects_is_allocated(seen_objects->objects, node))
        return STATUS_OK;
    *died = seen_objects->entries[node].died_line;
    *verdict = die_by_position(seen_objects, node, death->line);
    return end_life(seen_objects, node, death, why);
}

enum status seen_objects_settle(struct seen_objects *seen_objects, const struct clock *clock,
                                uint64_t last_line, bool by_position, struct failure *why)
{
    const struct death_evidence evidence = {
        .uses = seen_objects->uses,
        .clock = clock,
        .last_record = last_line,
        .by_position = by_position,
    };
    return input_deaths_settle(&seen_objects->deaths, &evidence, why);
}

bool seen_objects_lived(const struct seen_objects *seen_objects, node_t node, uint64_t *lived)
{
    const struct input_death *death = &seen_objects->deaths.deaths[node];
    if (death->number == 0)
        return false;
    uint64_t born = seen_objects->deaths.births[node];
    *lived = death->at.tick > born ? death->at.tick - born : 0;
    return true;
}

void seen_objects_free(struct seen_objects *seen_objects)
{
    objects_free(seen_objects->objects);
    free(seen_objects->entries);
    map_free(&seen_objects->older);
    input_deaths_free(&seen_objects->deaths);
    free(seen_objects->uses);
}
