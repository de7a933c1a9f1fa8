/* SPDX-License-Identifier: MIT */
/* When an object dies, all allocations before that boundary have been made, and births are kept
 * in order: so the number at which it may be freed is a binary search, and costs no memory. Its
 * last use lies between two allocations of one tick; that place is noted in the first reading
 * (merlin/use_places.h). */
#include "report/lives/oracle_objects.h"

#include <stdlib.h>

struct oracle_objects {
    const struct lives *lives;
    const struct use_places *places; /* NULL: objects are freed when they die */
    size_t next;                     /* allocation */
    struct java_name name;
};

enum status oracle_put_type(struct table *table, const struct names *names, uint64_t type,
                            struct java_name *buffer, struct failure *why)
{
    const char *name = names_find(names, NAMES_TYPE, type);
    if (!name) {
        table_number(table, type);
        return STATUS_OK;
    }
    enum status status = java_name_make(buffer, name, why);
    if (status == STATUS_OK)
        table_text(table, buffer->text);
    return status;
}

void oracle_objects_head(struct table *table)
{
    table->separator = ',';
    table_names(table, "alloc_seq free_at_seq size type obj_id");
    table_end_row(table);
}

enum status oracle_objects_begin(struct report *report, struct failure *why)
{
    struct oracle_objects *oracle = report->state = calloc(1, sizeof *oracle);
    if (!oracle)
        return fail_memory(why);
    struct history *history = report->material->history;
    oracle->lives = report->material->lives;
    oracle->places = history->use_places;
    if (history->use_places)
        use_places_keep_held(history->use_places, history->heap.frames);
    oracle_objects_head(&report->table);
    return STATUS_OK;
}

/* How many allocations are made before the object may be freed; all: it stays to the end. */
static uint64_t made_before_free(const struct oracle_objects *oracle, const struct life *life)
{
    uint64_t all = lives_count(oracle->lives);
    if (!oracle->places)
        return life_survives(life) ? all : life->died_allocations;
    struct use_place place = use_places_find(oracle->places, life->node);
    return place.count == USE_PLACE_END ? all : place.count;
}

enum status oracle_objects_allocated(struct report *report, const struct record *record,
                                     uint64_t line, uint64_t event, struct failure *why)
{
    struct oracle_objects *oracle = report->state;
    struct table *table = &report->table;
    (void)line, (void)event;
    struct life life = lives_life(oracle->lives, oracle->next++);
    table_number(table, oracle->next);
    table_number(table, made_before_free(oracle, &life) + 1);
    table_number(table, life.size);
    enum status status =
        oracle_put_type(table, report->material->names, record->type, &oracle->name, why);
    table_number(table, life.object);
    table_end_row(table);
    return status;
}

void oracle_objects_release(struct report *report)
{
    struct oracle_objects *oracle = report->state;
    if (oracle)
        free(oracle->name.text);
    free(oracle);
}
