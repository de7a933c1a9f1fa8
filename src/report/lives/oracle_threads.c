/* SPDX-License-Identifier: MIT */
/* Which thread frees an object, and at which of its allocations, is known only when it dies;
 * but rows stand in the order of allocation. So the second reading keeps for each allocation
 * its type, by number, and the place of its free, 16 bytes, and the rows are written at the
 * end. Deaths come in the order of their boundaries, so a boundary frees those that are next.
 *
 * A trace with explicit times has one thread: there the form is that of objects. */
#include "report/lives/oracle_threads.h"

#include "base/map.h"
#include "base/memory.h"
#include "report/java_name.h"
#include "report/lives/oracle_objects.h"

#include <stdlib.h>

struct oracle_threads {
    const struct lives *lives;
    struct history *history;
    bool is_recorded; /* all boundaries come by, not only those at which objects die */
    size_t next;      /* allocation */
    size_t next_dead; /* in the order of lives_death */
    uint64_t tick;    /* boundaries so far, if all come by */
    uint64_t *made;   /* allocations of each thread so far */
    node_t *type_of;  /* of each allocation, the index of its type */
    /* Of each allocation that is dead: the thread that frees it, and how many allocations that
     * has made by then. NULL where the deaths themselves, or last uses, tell. */
    uint32_t *freed_by;
    uint64_t *freed_at;
    struct map type_numbers; /* type -> its index + 1 */
    uint64_t *types;         /* by index */
    size_t type_count, type_capacity;
    struct java_name name;
};

/* Whether boundaries tell when objects are freed. */
static bool needs_boundaries(const struct history *history)
{
    return !history->use_places && !history->explicit_time;
}

static enum status reserve_arrays(struct oracle_threads *oracle, struct failure *why)
{
    size_t count = lives_count(oracle->lives);
    size_t threads = frames_thread_count(oracle->history->heap.frames);
    oracle->made = array_new(threads, sizeof *oracle->made);
    oracle->type_of = array_new(count, sizeof *oracle->type_of);
    if (!oracle->made || !oracle->type_of)
        return fail_memory(why);
    if (!needs_boundaries(oracle->history))
        return STATUS_OK;
    oracle->freed_by = array_new(count, sizeof *oracle->freed_by);
    oracle->freed_at = array_new(count, sizeof *oracle->freed_at);
    return oracle->freed_by && oracle->freed_at ? STATUS_OK : fail_memory(why);
}

void oracle_threads_head(struct table *table)
{
    table->separator = ',';
    table_names(table, "thread_id thread_seq free_thread free_seq size type obj_id");
    table_end_row(table);
}

enum status oracle_threads_begin(struct report *report, struct failure *why)
{
    struct oracle_threads *oracle = report->state = calloc(1, sizeof *oracle);
    if (!oracle)
        return fail_memory(why);
    oracle->lives = report->material->lives;
    oracle->history = report->material->history;
    oracle->is_recorded = report->material->is_recorded;
    enum status status = reserve_arrays(oracle, why);
    if (status != STATUS_OK)
        return status;
    if (oracle->history->use_places)
        use_places_keep_held(oracle->history->use_places, oracle->history->heap.frames);
    oracle_threads_head(&report->table);
    return STATUS_OK;
}

/* *index becomes that of the type, which may be new. */
static enum status number_type(struct oracle_threads *oracle, uint64_t type, node_t *index,
                               struct failure *why)
{
    uint64_t *known = map_insert(&oracle->type_numbers, type);
    if (!known)
        return fail_memory(why);
    if (*known == 0) {
        uint64_t *types = array_grow(oracle->types, &oracle->type_capacity,
                                     oracle->type_count + 1, sizeof *types);
        if (!types)
            return fail_memory(why);
        oracle->types = types;
        types[oracle->type_count++] = type;
        *known = oracle->type_count;
    }
    *index = (node_t)(*known - 1);
    return STATUS_OK;
}

static uint32_t thread_of(const struct oracle_threads *oracle, size_t allocation)
{
    return objects_thread(oracle->history->heap.objects, lives_node(oracle->lives, allocation));
}

enum status oracle_threads_allocated(struct report *report, const struct record *record,
                                     uint64_t line, uint64_t event, struct failure *why)
{
    struct oracle_threads *oracle = report->state;
    (void)line, (void)event;
    size_t allocation = oracle->next++;
    oracle->made[thread_of(oracle, allocation)]++;
    return number_type(oracle, record->type, &oracle->type_of[allocation], why);
}

/* The tick of the boundary that came by. */
static uint64_t tick_of_boundary(struct oracle_threads *oracle)
{
    if (oracle->is_recorded)
        return ++oracle->tick;
    return lives_life(oracle->lives, lives_death(oracle->lives, oracle->next_dead)).died;
}

void oracle_threads_boundary(struct report *report, const struct record *boundary)
{
    struct oracle_threads *oracle = report->state;
    const struct lives *lives = oracle->lives;
    size_t deaths = lives_boundary_death_count(lives);
    uint32_t thread = frames_known(oracle->history->heap.frames, boundary->thread);
    if (!oracle->freed_by || oracle->next_dead == deaths || thread == NO_THREAD)
        return;
    for (uint64_t tick = tick_of_boundary(oracle); oracle->next_dead < deaths;
         oracle->next_dead++) {
        size_t allocation = lives_death(lives, oracle->next_dead);
        if (lives_life(lives, allocation).died != tick)
            break;
        oracle->freed_by[allocation] = thread;
        oracle->freed_at[allocation] = oracle->made[thread];
    }
}

/* When an object is freed. */
struct thread_free {
    uint32_t thread; /* by number */
    uint64_t made;   /* its allocations by then */
};

/* When the allocation, which `thread` made, is freed. */
static struct thread_free find_free(const struct oracle_threads *oracle, size_t allocation,
                                    uint32_t thread)
{
    const struct thread_free at_end = {thread, oracle->made[thread]};
    if (oracle->history->use_places) {
        struct use_place place =
            use_places_find(oracle->history->use_places, lives_node(oracle->lives, allocation));
        return place.count == USE_PLACE_END ? at_end
                                            : (struct thread_free){place.thread, place.count};
    }
    struct life life = lives_life(oracle->lives, allocation);
    if (life_survives(&life))
        return at_end;
    if (!oracle->freed_by)
        return (struct thread_free){thread, life.died_allocations};
    return (struct thread_free){oracle->freed_by[allocation], oracle->freed_at[allocation]};
}

/* `sequences` has the number of the row's allocation among those of its thread. */
static enum status oracle_threads_put_row(struct report *report, size_t allocation,
                                          uint64_t *sequences, struct failure *why)
{
    struct oracle_threads *oracle = report->state;
    struct table *table = &report->table;
    const struct frames *frames = oracle->history->heap.frames;
    uint32_t thread = thread_of(oracle, allocation);
    struct thread_free freed = find_free(oracle, allocation, thread);
    table_number(table, frames_thread_id(frames, thread));
    table_number(table, ++sequences[thread]);
    table_number(table, frames_thread_id(frames, freed.thread));
    table_number(table, freed.made + 1);
    table_number(table, life_records_size(&oracle->history->life_records, allocation));
    enum status status =
        oracle_put_type(table, report->material->names,
                        oracle->types[oracle->type_of[allocation]], &oracle->name, why);
    table_number(table, lives_id(oracle->lives, lives_node(oracle->lives, allocation)));
    table_end_row(table);
    return status == STATUS_OK ? table->status : status;
}

enum status oracle_threads_finish(struct report *report, struct failure *why)
{
    struct oracle_threads *oracle = report->state;
    uint64_t *sequences =
        array_new(frames_thread_count(oracle->history->heap.frames), sizeof *sequences);
    enum status status = sequences ? STATUS_OK : fail_memory(why);
    for (size_t i = 0; i < oracle->next && status == STATUS_OK; i++)
        status = oracle_threads_put_row(report, i, sequences, why);
    free(sequences);
    return status;
}

void oracle_threads_release(struct report *report)
{
    struct oracle_threads *oracle = report->state;
    if (!oracle)
        return;
    map_free(&oracle->type_numbers);
    free(oracle->freed_by);
    free(oracle->freed_at);
    free(oracle->type_of);
    free(oracle->made);
    free(oracle->types);
    free(oracle->name.text);
    free(oracle);
}
