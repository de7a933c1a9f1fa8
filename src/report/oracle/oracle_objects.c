/* SPDX-License-Identifier: MIT */
/* Lives come in the order of death, but rows are in that of allocation. So frees are sorted by
 * the number of the allocation, and read together with the births.
 *
 * The list of events, which is passed together with the deaths, shows which thread frees an
 * object, and how many allocations that thread has made by then. A trace with explicit times
 * counts as one thread. */
#include "report/oracle/oracle.h"

/* A free, as a row to be sorted. */
enum {
    FREED_ALLOCATION, /* the number of the freed allocation */
    FREED_MADE,       /* allocations made before, or one of the values below */
    FREED_THREAD, /* id of the thread that frees, and made these allocations; see thread_as */
    FREED_NUMBERS
};

/* The object stays to the end; it is freed right after its allocation, by the thread that
 * allocated it. */
#define MADE_ALL UINT64_MAX
#define MADE_ITSELF (UINT64_MAX - 1)

enum status oracle_objects_begin(struct report *report, struct failure *why)
{
    const struct report_settings *settings = report->material->settings;
    struct table *table = &report->table;
    struct oracle *oracle = NULL;
    TRY(oracle_open(report, &oracle, why));
    oracle->by_thread = settings->oracle_form == ORACLE_THREADS;
    oracle->by_use = settings->oracle_free == ORACLE_FREE_LAST_USE;
    table->separator = ',';
    if (oracle->by_thread)
        table_names(table, "thread_id thread_seq free_thread free_seq size type obj_id");
    else
        table_names(table, "alloc_seq free_at_seq size type obj_id");
    table_end_row(table);
    if (oracle->by_thread && !oracle->by_use && !report->material->pass->explicit_time)
        TRY(oracle_start_events(oracle, why));
    return row_sort_open(&oracle->frees, FREED_NUMBERS, 1, report->material->temporary, why);
}

/* Counts one more for `thread`; sets *count to how many it has now. */
static enum status count_for(struct map *map, uint64_t thread, uint64_t *count,
                             struct failure *why)
{
    uint64_t *has = map_insert(map, thread);
    if (!has)
        return fail_memory(why);
    *count = ++*has;
    return STATUS_OK;
}

static uint64_t count_of(const struct map *map, uint64_t thread)
{
    const uint64_t *count = map_find(map, thread);
    return count ? *count : 0;
}

/* Passes events up to boundary number `tick`. */
static enum status pass_events(struct oracle *oracle, uint64_t tick, struct failure *why)
{
    struct listed_event event;
    uint64_t count;
    while (oracle->tick < tick) {
        TRY(event_cursor_next(&oracle->next_event, &event, why));
        if (event.kind == EVENT_ALLOCATION)
            TRY(count_for(&oracle->made, event.thread, &count, why));
        if (event.kind != EVENT_BOUNDARY)
            continue;
        oracle->tick++;
        oracle->thread = event.thread;
    }
    return STATUS_OK;
}

/* Completes the row of an object that dies before the end. A recorded death may come before the
 * first boundary after the birth: then the object is freed right after its allocation. */
static enum status fill_death(struct oracle *oracle, const struct life_facts *life,
                              uint64_t *row, struct failure *why)
{
    if (!oracle->next_event.numbers) {
        row[FREED_MADE] = life->died_allocations;
    } else if (life->died.tick <= life->born.tick) {
        row[FREED_MADE] = MADE_ITSELF;
    } else {
        TRY(pass_events(oracle, life->died.tick, why));
        row[FREED_THREAD] = oracle->thread;
        row[FREED_MADE] = count_of(&oracle->made, oracle->thread);
    }
    return STATUS_OK;
}

/* The thread `id`, or 0 where threads do not matter. */
static uint64_t thread_as(const struct oracle *oracle, uint64_t id)
{
    return oracle->by_thread ? id : 0;
}

/* Adds when a life is freed, to be sorted by allocation. For example, let 1, 2 and 3 be the
 * allocations, let 2 die before 3 is allocated, 1 after it, and 3 live to the end. The lives
 * come as 2, 1 and 3, to be freed before the allocations 3, 4 and 4. The row of 1 is late: it
 * is the first of the table, and the second to come. Sorted, the rows are 1 with 4, 2 with 3,
 * and 3 with 4. */
enum status oracle_objects_add_life(struct report *report, const struct life_facts *life,
                                    struct failure *why)
{
    struct oracle *oracle = report->state;
    uint64_t own = thread_as(oracle, life->thread), count;
    uint64_t row[FREED_NUMBERS] = {life->allocation, MADE_ALL, own};
    if (life_is_prior(life))
        return STATUS_OK;
    if (oracle->by_use && life->use_count != USE_POSITION_END) {
        row[FREED_MADE] = life->use_count;
        row[FREED_THREAD] = thread_as(oracle, life->use_thread);
    } else if (!oracle->by_use && !life->survives) {
        TRY(fill_death(oracle, life, row, why));
    }
    TRY(count_for(&oracle->all, own, &count, why));
    return row_sort_add(oracle->frees, row, why);
}

/* Puts the name of a type as Java prints it, or its number. */
static enum status put_type(struct oracle *oracle, uint64_t type, struct failure *why)
{
    const char *name = names_find(oracle->material->names, NAMES_TYPE, type);
    if (!name) {
        table_number(oracle->table, type);
        return STATUS_OK;
    }
    TRY(java_name_make(&oracle->name, name, why));
    table_text(oracle->table, oracle->name.text);
    return STATUS_OK;
}

/* Puts the row of a birth, which is number `sequence` of its thread; `freed` says when the
 * object is freed. */
static enum status put_freed(struct oracle *oracle, const struct birth_facts *birth,
                             uint64_t sequence, const uint64_t *freed, struct failure *why)
{
    struct table *table = oracle->table;
    uint64_t made = freed[FREED_MADE];
    if (made == MADE_ALL)
        made = count_of(&oracle->all, freed[FREED_THREAD]);
    else if (made == MADE_ITSELF)
        made = sequence;
    if (oracle->by_thread)
        table_number(table, birth->thread);
    table_number(table, sequence);
    if (oracle->by_thread)
        table_number(table, freed[FREED_THREAD]);
    table_number(table, made + 1);
    table_number(table, birth->size);
    TRY(put_type(oracle, birth->type, why));
    table_number(table, birth->object);
    table_end_row(table);
    return table->status;
}

/* Puts the row of the next birth; frees are sorted in the same order. */
static enum status put_row(void *context, const struct birth_facts *birth, struct failure *why)
{
    struct oracle *oracle = context;
    uint64_t freed[FREED_NUMBERS], sequence;
    TRY(row_sort_next(oracle->frees, freed, why));
    TRY(count_for(&oracle->made, thread_as(oracle, birth->thread), &sequence, why));
    return put_freed(oracle, birth, sequence, freed, why);
}

enum status oracle_objects_finish(struct report *report, struct failure *why)
{
    struct oracle *oracle = report->state;
    TRY(row_sort_finish(oracle->frees, why));
    map_free(&oracle->made);
    return births_visit(oracle->material->stream, put_row, oracle, why);
}
