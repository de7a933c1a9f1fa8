/* Ids nearly always mean one object. Those of which an older one is alive while a new one
 * has begun are linked in a map, from the newer node to the older: so each step is of
 * constant cost, however often an id repeats. */
#include "report/roster.h"

#include "base/map.h"
#include "base/memory.h"

#include <stdlib.h>

struct roster {
    struct objects *objects;
    struct roster_entry *entries; /* by node */
    size_t count;
    size_t capacity;
    struct map older; /* node -> the next older one with its id that is not dead; 0: none */
};

enum status roster_new(struct roster **out, struct failure *why)
{
    struct roster *roster = calloc(1, sizeof *roster);
    if (!roster)
        return fail_memory(why);
    enum status status = objects_new(&roster->objects, why);
    if (status == STATUS_OK)
        *out = roster;
    else
        roster_free(roster);
    return status;
}

/* Makes entries for nodes that have none. */
static enum status add_entries(struct roster *roster, struct failure *why)
{
    size_t nodes = objects_count(roster->objects);
    struct roster_entry *entries =
        array_grow(roster->entries, &roster->capacity, nodes, sizeof *entries);
    if (!entries)
        return fail_memory(why);
    roster->entries = entries;
    while (roster->count < nodes)
        entries[roster->count++] = (struct roster_entry){.line = 0};
    return STATUS_OK;
}

static enum status find(struct roster *roster, uint64_t id, node_t *node, struct failure *why)
{
    enum status status = objects_find(roster->objects, id, node, why);
    if (status != STATUS_OK || *node < roster->count)
        return status;
    return add_entries(roster, why);
}

/* The next older node with the same id that is not dead, or NODE_NONE. */
static node_t older_of(const struct roster *roster, node_t node)
{
    const uint64_t *older = map_find(&roster->older, node);
    return older ? (node_t)*older : NODE_NONE;
}

/* The older node `older` dies, not `node`, to which it was linked. */
static void unlink_older(struct roster *roster, node_t node, node_t older)
{
    *map_find(&roster->older, node) = older_of(roster, older);
}

enum status roster_mention(struct roster *roster, uint64_t id, uint64_t line, uint64_t *died,
                           struct failure *why)
{
    node_t node;
    enum status status = find(roster, id, &node, why);
    if (status != STATUS_OK)
        return status;
    struct roster_entry *entry = &roster->entries[node];
    if (entry->mentions++ == 0)
        entry->line = line;
    *died = entry->death.line;
    if (*died == 0)
        return STATUS_OK;
    node_t older = older_of(roster, node);
    if (older == NODE_NONE)
        return STATUS_OK;
    unlink_older(roster, node, older);
    roster->entries[older].death = entry->death;
    entry->death = (struct roster_death){.line = 0};
    *died = 0;
    return STATUS_OK;
}

/* Links the node of an id that is allocated again to the one before it. */
static enum status link_older(struct roster *roster, node_t node, node_t before,
                              struct failure *why)
{
    node_t older = roster->entries[before].death.line == 0 ? before : older_of(roster, before);
    if (older == NODE_NONE)
        return STATUS_OK;
    uint64_t *link = map_insert(&roster->older, node);
    if (!link)
        return fail_memory(why);
    *link = older;
    return STATUS_OK;
}

enum status roster_allocate(struct roster *roster, uint64_t id, uint64_t line, uint64_t now,
                            uint64_t *earlier, bool *adopted, struct failure *why)
{
    node_t before, node;
    enum allocation how;
    enum status status = find(roster, id, &before, why);
    if (status == STATUS_OK)
        status = objects_allocate(roster->objects, id, 0, &node, &how, why);
    if (status == STATUS_OK)
        status = add_entries(roster, why);
    if (status != STATUS_OK)
        return status;
    struct roster_entry *entry = &roster->entries[node];
    *earlier = how == ALLOCATION_REPEATED ? roster->entries[before].line : 0;
    *adopted = entry->mentions > 0;
    entry->mentions++;
    entry->line = line;
    entry->born = now;
    return how == ALLOCATION_REPEATED ? link_older(roster, node, before, why) : STATUS_OK;
}

enum status roster_die(struct roster *roster, uint64_t id, const struct roster_death *death,
                       enum roster_verdict *verdict, uint64_t *died, struct failure *why)
{
    node_t node;
    enum status status = find(roster, id, &node, why);
    if (status != STATUS_OK)
        return status;
    *verdict = objects_is_allocated(roster->objects, node) ? ROSTER_DIES : ROSTER_UNKNOWN;
    *died = roster->entries[node].death.line;
    if (*verdict == ROSTER_UNKNOWN)
        return STATUS_OK;
    node_t dying = node;
    if (*died != 0) {
        dying = older_of(roster, node);
        if (dying == NODE_NONE) {
            *verdict = ROSTER_DEAD;
            return STATUS_OK;
        }
        unlink_older(roster, node, dying);
    }
    roster->entries[dying].death = *death;
    return STATUS_OK;
}

const struct roster_entry *roster_entries(const struct roster *roster, size_t *count)
{
    *count = roster->count;
    return roster->entries;
}

const struct objects *roster_objects(const struct roster *roster)
{
    return roster->objects;
}

void roster_free(struct roster *roster)
{
    if (!roster)
        return;
    objects_free(roster->objects);
    free(roster->entries);
    map_free(&roster->older);
    free(roster);
}
