/* The row of a death repeats what the allocation said. To keep that by object would be large;
 * but sites are few, and mostly have one type, so a pair of them has a small number. */
#include "report/oracle.h"

#include "base/map.h"
#include "base/memory.h"

#include <stdlib.h>

struct origin {
    uint64_t type;
    uint64_t site;
};

/* The origin of an object that is dead. */
#define NO_ORIGIN NODE_MAX

struct oracle_origins {
    struct map types; /* id -> number, from 1 on */
    struct map sites; /* id -> number, from 1 on */
    struct map pairs; /* numbers of type and site -> number of origin, from 1 on */
    uint64_t type_count;
    uint64_t site_count;
    struct origin *origins; /* by number less 1 */
    size_t count;
    size_t capacity;
    node_t *by_allocation; /* index in origins, of which there are fewer than nodes */
};

enum status oracle_begin(struct oracle *oracle, struct failure *why)
{
    struct oracle_origins *origins = calloc(1, sizeof *origins);
    oracle->origins = origins;
    if (!origins)
        return fail_memory(why);
    origins->by_allocation =
        array_new(ledger_count(oracle->ledger), sizeof *origins->by_allocation);
    if (!origins->by_allocation)
        return fail_memory(why);
    table_names(oracle->table, "timestamp event_type object_id size site_id thread_id type_id");
    table_end_row(oracle->table);
    return STATUS_OK;
}

/* The number of `id`; a new one gets the next. 0: no memory. */
static uint64_t number_of(struct map *map, uint64_t id, uint64_t *count)
{
    uint64_t *number = map_insert(map, id);
    if (number && *number == 0)
        *number = ++*count;
    return number ? *number : 0;
}

/* Notes the origin of the next allocation. */
static enum status note_origin(struct oracle_origins *origins, size_t allocation,
                               const struct record *record, struct failure *why)
{
    uint64_t type = number_of(&origins->types, record->type, &origins->type_count);
    uint64_t site = number_of(&origins->sites, record->site, &origins->site_count);
    if (type > UINT32_MAX || site > UINT32_MAX)
        return fail(why, STATUS_LIMIT, "The trace has more than %u types or sites", UINT32_MAX);
    uint64_t *pair = type && site ? map_insert(&origins->pairs, type << 32 | site) : NULL;
    struct origin *all =
        array_grow(origins->origins, &origins->capacity, origins->count + 1, sizeof *all);
    if (all)
        origins->origins = all;
    if (!pair || !all)
        return fail_memory(why);
    if (*pair == 0) {
        all[origins->count] = (struct origin){record->type, record->site};
        *pair = ++origins->count;
    }
    origins->by_allocation[allocation] = (node_t)(*pair - 1);
    return STATUS_OK;
}

static enum status put_row(struct oracle *oracle, uint64_t event, const char *type,
                           uint64_t object, size_t allocation, uint64_t thread,
                           const struct origin *origin, struct failure *why)
{
    struct table *table = oracle->table;
    table->why = why;
    table_number(table, event);
    table_text(table, type);
    table_number(table, object);
    table_number(table, notes_size(&oracle->history->notes, allocation));
    table_number(table, origin->site);
    table_number(table, thread);
    table_number(table, origin->type);
    table_end_row(table);
    return table->status;
}

enum status oracle_allocated(struct oracle *oracle, const struct record *record, uint64_t event,
                             struct failure *why)
{
    size_t allocation = oracle->allocated++;
    node_t node = ledger_node(oracle->ledger, allocation);
    struct origin origin = {record->type, record->site};
    uint64_t thread = oracle->history->explicit_time ? 0 : record->thread;
    enum status status = put_row(oracle, event, "alloc", ledger_id(oracle->ledger, node),
                                 allocation, thread, &origin, why);
    return status == STATUS_OK ? note_origin(oracle->origins, allocation, record, why) : status;
}

/* Finds the node of a recorded death; of an id that is not allocated NODE_NONE. */
static enum status find_recorded(struct oracle *oracle, uint64_t id, node_t *node,
                                 struct failure *why)
{
    struct objects *objects = oracle->history->heap.objects;
    enum status status = objects_find(objects, id, node, why);
    if (status == STATUS_OK && !objects_is_allocated(objects, *node))
        *node = NODE_NONE;
    return status;
}

enum status oracle_died(struct oracle *oracle, const struct record *death, node_t node,
                        uint64_t event, struct failure *why)
{
    enum status status = STATUS_OK;
    if (node == NODE_NONE)
        status = find_recorded(oracle, death->object, &node, why);
    if (status != STATUS_OK)
        return status;
    size_t allocation = ledger_allocation(oracle->ledger, node);
    node_t *origin = &oracle->origins->by_allocation[allocation];
    if (node == NODE_NONE || allocation >= oracle->allocated || *origin == NO_ORIGIN)
        return STATUS_OK;
    status = put_row(oracle, event, "free", death->object, allocation, death->death_thread,
                     &oracle->origins->origins[*origin], why);
    *origin = NO_ORIGIN;
    return status;
}

void oracle_free(struct oracle *oracle)
{
    struct oracle_origins *origins = oracle->origins;
    if (!origins)
        return;
    map_free(&origins->types);
    map_free(&origins->sites);
    map_free(&origins->pairs);
    free(origins->origins);
    free(origins->by_allocation);
    free(origins);
    oracle->origins = NULL;
}
