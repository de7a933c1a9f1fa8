/* SPDX-License-Identifier: MIT */
/* The row of a death repeats what the allocation said. To keep that by object would be large;
 * but sites are few, and mostly have one type, so a pair of them has a small number. */
#include "report/lives/oracle.h"

#include "base/map.h"
#include "base/memory.h"
#include "heap/objects_inline.h"
#include "merlin/sort.h"
#include "report/lives/oracle_objects.h"

#include <inttypes.h>
#include <stdlib.h>

/* The origin of an object that is dead. */
#define NO_ORIGIN NODE_MAX

/* Type and site of allocations. There are few different pairs: each has a number. */
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

struct oracle {
    struct table *table;
    const struct lives *lives;
    struct history *history;
    size_t allocated; /* allocations so far */
    struct oracle_origins origins;
    /* Where objects are freed after their last use: nodes in the order of the records that are
     * their last uses. */
    node_t *by_use;
    size_t use_count, next_use;
    uint64_t deaths; /* that came by, and get no row */
};

/* Ids that repeat would be objects that die twice. */
static enum status check_ids(const struct report_material *material, struct failure *why)
{
    const char *how = "";
    uint64_t repeated = material->history->counts.repeated;
    if (repeated == 0 || material->ids)
        return STATUS_OK;
    if (material->is_recorded)
        how = ", with --replace-deaths instead of --no-deaths";
    else if (material->stored)
        how = ", with --engine=table";
    return fail_at(why, STATUS_MEANING, material->trace, 0,
                   "%" PRIu64
                   " allocation%s an id that is allocated already, and --oracle could "
                   "not tell their objects apart; --renumber gives each an id of its own%s",
                   repeated, repeated == 1 ? " repeats" : "s repeat", how);
}

enum status oracle_events_begin(struct report *report, struct failure *why)
{
    struct table *table = &report->table;
    enum status status = check_ids(report->material, why);
    if (status != STATUS_OK)
        return status;
    table->separator = ',';
    table_names(table, "timestamp event_type object_id size site_id thread_id type_id");
    table_end_row(table);
    return STATUS_OK;
}

void oracle_put_event(struct table *table, uint64_t event, const char *type, uint64_t object,
                      uint64_t size, uint64_t thread, const struct origin *origin)
{
    table_number(table, event);
    table_text(table, type);
    table_number(table, object);
    table_number(table, size);
    table_number(table, origin->site);
    table_number(table, thread);
    table_number(table, origin->type);
    table_end_row(table);
}

enum status oracle_begin(struct report *report, struct failure *why)
{
    const struct report_material *material = report->material;
    enum status status = oracle_events_begin(report, why);
    if (status != STATUS_OK)
        return status;
    struct oracle *oracle = report->state = calloc(1, sizeof *oracle);
    if (!oracle)
        return fail_memory(why);
    oracle->table = &report->table;
    oracle->lives = material->lives;
    oracle->history = material->history;
    node_t *origins = array_new(lives_count(oracle->lives), sizeof *origins);
    if (!origins)
        return fail_memory(why);
    oracle->origins.by_allocation = origins;
    return STATUS_OK;
}

/* The number of `id`; a new one gets the next. 0: no memory. */
static uint64_t oracle_number_of(struct map *map, uint64_t id, uint64_t *count)
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
    uint64_t type = oracle_number_of(&origins->types, record->type, &origins->type_count);
    uint64_t site = oracle_number_of(&origins->sites, record->site, &origins->site_count);
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

/* The size of an allocation. */
static uint64_t allocated_size(const struct oracle *oracle, size_t allocation)
{
    return life_records_size(&oracle->history->life_records, allocation);
}

enum status oracle_allocated(struct report *report, const struct record *record, uint64_t line,
                             uint64_t event, struct failure *why)
{
    struct oracle *oracle = report->state;
    size_t allocation = oracle->allocated++;
    node_t node = lives_node(oracle->lives, allocation);
    struct origin origin = {record->type, record->site};
    uint64_t thread = oracle->history->explicit_time ? 0 : record->thread;
    (void)line;
    oracle_put_event(oracle->table, event, "alloc", lives_id(oracle->lives, node),
                     allocated_size(oracle, allocation), thread, &origin);
    return note_origin(&oracle->origins, allocation, record, why);
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

enum status oracle_died(struct report *report, const struct record *death, node_t node,
                        uint64_t event, struct failure *why)
{
    struct oracle *oracle = report->state;
    enum status status = STATUS_OK;
    if (node == NODE_NONE)
        status = find_recorded(oracle, death->object, &node, why);
    if (status != STATUS_OK)
        return status;
    size_t allocation = lives_allocation(oracle->lives, node);
    node_t *origin = &oracle->origins.by_allocation[allocation];
    if (node == NODE_NONE || allocation >= oracle->allocated || *origin == NO_ORIGIN)
        return STATUS_OK;
    oracle_put_event(oracle->table, event, "free", death->object,
                     allocated_size(oracle, allocation), death->death_thread,
                     &oracle->origins.origins[*origin]);
    *origin = NO_ORIGIN;
    return STATUS_OK;
}

/* Lists the nodes that are freed before the end, by their last uses. */
static enum status sort_by_use(struct oracle *oracle, struct failure *why)
{
    struct history *history = oracle->history;
    const uint64_t *counts = use_places_counts(history->use_places);
    size_t count = lives_count(oracle->lives);
    oracle->by_use = array_new(count, sizeof *oracle->by_use);
    if (!oracle->by_use)
        return fail_memory(why);
    for (size_t i = 0; i < count; i++) {
        node_t node = lives_node(oracle->lives, i);
        if (counts[node] != USE_PLACE_END)
            oracle->by_use[oracle->use_count++] = node;
    }
    return sort_nodes(oracle->by_use, oracle->use_count, counts, history->record,
                      history->interrupt, why);
}

enum status oracle_uses_begin(struct report *report, struct failure *why)
{
    enum status status = oracle_begin(report, why);
    if (status != STATUS_OK)
        return status;
    const struct history *history = report->material->history;
    use_places_keep_held(history->use_places, history->heap.frames);
    return sort_by_use(report->state, why);
}

/* Frees what was used for the last time in the first `records` records. */
static void put_frees(struct oracle *oracle, uint64_t records)
{
    const struct heap *heap = &oracle->history->heap;
    const uint64_t *counts = use_places_counts(oracle->history->use_places);
    for (; oracle->next_use < oracle->use_count; oracle->next_use++) {
        node_t node = oracle->by_use[oracle->next_use];
        if (counts[node] > records)
            break;
        size_t allocation = lives_allocation(oracle->lives, node);
        node_t origin = oracle->origins.by_allocation[allocation];
        oracle_put_event(oracle->table, counts[node] + oracle->next_use, "free",
                         lives_id(oracle->lives, node), allocated_size(oracle, allocation),
                         frames_thread_id(heap->frames, objects_thread(heap->objects, node)),
                         &oracle->origins.origins[origin]);
    }
}

/* Frees count as records of the trace, in place of deaths. */
enum status oracle_uses_allocated(struct report *report, const struct record *record,
                                  uint64_t line, uint64_t event, struct failure *why)
{
    struct oracle *oracle = report->state;
    uint64_t records = event - oracle->deaths;
    put_frees(oracle, records);
    return oracle_allocated(report, record, line, records + oracle->next_use, why);
}

enum status oracle_uses_died(struct report *report, const struct record *death, node_t node,
                             uint64_t event, struct failure *why)
{
    struct oracle *oracle = report->state;
    (void)death, (void)node, (void)event, (void)why;
    oracle->deaths++;
    return STATUS_OK;
}

enum status oracle_uses_finish(struct report *report, struct failure *why)
{
    struct oracle *oracle = report->state;
    (void)why;
    put_frees(oracle, oracle->history->record);
    return STATUS_OK;
}

void oracle_release(struct report *report)
{
    struct oracle *oracle = report->state;
    if (!oracle)
        return;
    map_free(&oracle->origins.types);
    map_free(&oracle->origins.sites);
    map_free(&oracle->origins.pairs);
    free(oracle->origins.origins);
    free(oracle->origins.by_allocation);
    free(oracle->by_use);
    free(oracle);
}
