/* SPDX-License-Identifier: MIT */
/* The rows are read into arrays first, since only the last row shows how many allocations a
 * thread makes. Then the step that frees each object is found, and the objects are sorted by
 * these steps. If no object is freed before its own row, the order of the rows is one that the
 * oracle allows. This is checked for every object, so threads that wait for each other's
 * allocations never wait in a circle. */
#include "replay/replay.h"

#include "base/memory.h"
#include "base/symbols.h"
#include "io/descriptor.h"
#include "report/check/oracle_rows.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

enum { PLAN_ARRAYS = 7 };

/* The rows, and the threads that they name. */
struct plan_loading {
    struct replay_plan *plan;
    struct oracle_rows *rows;
    size_t capacity; /* of the plan's objects */
    struct interner thread_numbers;
    size_t *made; /* allocations of each thread so far */
    size_t made_capacity, id_capacity;
    uint64_t bytes;
};

/* Sets *number to the number of the thread with this id, which may be new. */
static enum status number_thread(struct plan_loading *loading, uint64_t id, uint32_t *number,
                                 struct failure *why)
{
    struct replay_plan *plan = loading->plan;
    enum status status = interner_add(&loading->thread_numbers, id, "threads", number, why);
    if (status != STATUS_OK || *number < plan->threads)
        return status;
    if (!ARRAY_RESERVE(plan->thread_ids, loading->id_capacity, plan->threads + 1) ||
        !ARRAY_RESERVE(loading->made, loading->made_capacity, plan->threads + 1))
        return fail_memory(why);
    plan->thread_ids[plan->threads] = id;
    loading->made[plan->threads++] = 0;
    return STATUS_OK;
}

static enum status check_row(struct plan_loading *loading, const struct oracle_row *row,
                             uint32_t thread, struct failure *why)
{
    const char *what = NULL;
    if (row->sequence != ++loading->made[thread])
        what = "The rows (of a thread) do not number allocations 1, 2, 3, ...";
    else if (row->free_sequence == 0)
        what = "Allocations count from 1, so nothing is freed at 0";
    else if (__builtin_add_overflow(loading->bytes, row->size, &loading->bytes))
        what = "More than 2^64-1 bytes are allocated";
    return what ? oracle_rows_reject(loading->rows, row->line, what, why) : STATUS_OK;
}

static enum status add_row(struct plan_loading *loading, const struct oracle_row *row,
                           struct failure *why)
{
    struct replay_plan *plan = loading->plan;
    struct plan_object object = {.size = row->size, .freed_at = row->free_sequence};
    TRY(number_thread(loading, row->thread, &object.thread, why));
    TRY(number_thread(loading, row->free_thread, &object.freed_by, why));
    TRY(check_row(loading, row, object.thread, why));
    if (!ARRAY_RESERVE(plan->objects, loading->capacity, plan->count + 1))
        return fail_memory(why);
    if (plan->count == 0)
        plan->first_line = row->line;
    plan->objects[plan->count++] = object;
    return STATUS_OK;
}

static enum status read_rows(struct plan_loading *loading, struct failure *why)
{
    struct oracle_row row;
    enum status status;
    if (oracle_rows_form(loading->rows) == ORACLE_EVENTS)
        return oracle_rows_reject(loading->rows, 1,
                                  "This oracle has the form events; a replay needs one made "
                                  "with --oracle-form=objects or threads",
                                  why);
    while ((status = oracle_rows_next(loading->rows, &row, why)) == STATUS_OK &&
           (status = add_row(loading, &row, why)) == STATUS_OK)
        continue;
    return status == STATUS_END ? STATUS_OK : status;
}

/* Gives each thread its steps, and each object the step that allocates it. */
static enum status number_steps(struct plan_loading *loading, struct failure *why)
{
    struct replay_plan *plan = loading->plan;
    plan->first_steps = array_new(plan->threads + 1, sizeof *plan->first_steps);
    plan->step_of = array_new(plan->count, sizeof *plan->step_of);
    if (!plan->first_steps || !plan->step_of)
        return fail_memory(why);
    for (size_t i = 0; i < plan->threads; i++) {
        plan->first_steps[i + 1] = plan->first_steps[i] + loading->made[i] + 1;
        loading->made[i] = plan->first_steps[i];
    }
    size_t steps = plan->first_steps[plan->threads];
    plan->allocated = array_new(steps, sizeof *plan->allocated);
    if (!plan->allocated)
        return fail_memory(why);
    for (size_t i = 0; i < steps; i++)
        plan->allocated[i] = PLAN_NONE;
    for (size_t i = 0; i < plan->count; i++) {
        plan->step_of[i] = loading->made[plan->objects[i].thread]++;
        plan->allocated[plan->step_of[i]] = i;
    }
    return STATUS_OK;
}

/* Sets *step to the step that frees the object. */
static enum status find_freeing_step(const struct plan_loading *loading, size_t object,
                                     size_t *step, struct failure *why)
{
    const struct replay_plan *plan = loading->plan;
    size_t thread = plan->objects[object].freed_by;
    uint64_t line = plan->first_line + object;
    size_t first = plan->first_steps[thread], end = plan->first_steps[thread + 1];
    if (plan->objects[object].freed_at > end - first)
        return oracle_rows_reject(loading->rows, line,
                                  "The object is freed at an allocation that does not exist",
                                  why);
    *step = first + (size_t)plan->objects[object].freed_at - 1;
    if (plan->allocated[*step] <= object)
        return oracle_rows_reject(loading->rows, line,
                                  "The object is freed before it is allocated", why);
    return STATUS_OK;
}

/* Sorts the objects by the steps that free them. */
static enum status sort_frees(struct plan_loading *loading, struct failure *why)
{
    struct replay_plan *plan = loading->plan;
    size_t steps = plan->first_steps[plan->threads], step = 0;
    plan->freed = array_new(plan->count, sizeof *plan->freed);
    plan->freed_begin = array_new(steps + 2, sizeof *plan->freed_begin);
    if (!plan->freed || !plan->freed_begin)
        return fail_memory(why);
    /* Each step is counted two entries after its own. Summed up, entry step + 1 is where it
     * begins, and after its objects have been placed, where the next step begins. */
    for (size_t i = 0; i < plan->count; i++) {
        enum status status = find_freeing_step(loading, i, &step, why);
        if (status != STATUS_OK)
            return status;
        plan->objects[i].freed_at = step; /* a step from now on */
        plan->freed_begin[step + 2]++;
    }
    for (size_t i = 1; i <= steps; i++)
        plan->freed_begin[i + 1] += plan->freed_begin[i];
    for (size_t i = 0; i < plan->count; i++)
        plan->freed[plan->freed_begin[plan->objects[i].freed_at + 1]++] = i;
    return STATUS_OK;
}

static void loading_free(struct plan_loading *loading)
{
    interner_free(&loading->thread_numbers);
    free(loading->made);
    oracle_rows_close(loading->rows);
}

enum status plan_load(struct replay_plan *plan, const char *path, struct failure *why)
{
    *plan = (struct replay_plan){.count = 0};
    struct plan_loading loading = {.plan = plan};
    enum status status = oracle_rows_open(&loading.rows, path, NULL, why);
    if (status == STATUS_OK)
        status = read_rows(&loading, why);
    if (status == STATUS_OK)
        status = number_steps(&loading, why);
    if (status == STATUS_OK)
        status = sort_frees(&loading, why);
    loading_free(&loading);
    return status;
}

/* Where the plan has the pointers to its arrays. */
static const size_t array_places[PLAN_ARRAYS] = {
    offsetof(struct replay_plan, objects),     offsetof(struct replay_plan, thread_ids),
    offsetof(struct replay_plan, first_steps), offsetof(struct replay_plan, step_of),
    offsetof(struct replay_plan, allocated),   offsetof(struct replay_plan, freed),
    offsetof(struct replay_plan, freed_begin)};

static void *array_of(const struct replay_plan *plan, size_t number)
{
    void *array;
    memcpy(&array, (const char *)plan + array_places[number], sizeof array);
    return array;
}

static void set_array(struct replay_plan *plan, size_t number, void *array)
{
    memcpy((char *)plan + array_places[number], &array, sizeof array);
}

/* Sets sizes[] to the bytes of the arrays. Each thread has a step more than it has allocations.
 */
static void find_sizes(const struct replay_plan *plan, size_t sizes[PLAN_ARRAYS])
{
    size_t steps = plan->count + plan->threads;
    const size_t found[PLAN_ARRAYS] = {plan->count * sizeof *plan->objects,
                                       plan->threads * sizeof *plan->thread_ids,
                                       (plan->threads + 1) * sizeof *plan->first_steps,
                                       plan->count * sizeof *plan->step_of,
                                       steps * sizeof *plan->allocated,
                                       plan->count * sizeof *plan->freed,
                                       (steps + 2) * sizeof *plan->freed_begin};
    memcpy(sizes, found, sizeof found);
}

enum status plan_store(const struct replay_plan *plan, int descriptor, struct failure *why)
{
    size_t sizes[PLAN_ARRAYS];
    find_sizes(plan, sizes);
    int error = descriptor_write(descriptor, plan, sizeof *plan, NULL);
    for (size_t i = 0; i < PLAN_ARRAYS && error == 0; i++)
        error = descriptor_write(descriptor, array_of(plan, i), sizes[i], NULL);
    return error ? fail_errno(why, NULL, "write the plan of the replay", error) : STATUS_OK;
}

enum status plan_map(struct replay_plan *plan, int descriptor, struct failure *why)
{
    struct stat facts;
    void *map = MAP_FAILED;
    if (fstat(descriptor, &facts) == 0)
        map = mmap(NULL, (size_t)facts.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE,
                   descriptor, 0);
    if (map == MAP_FAILED)
        return fail_errno(why, NULL, "map the plan of the replay", errno);
    memcpy(plan, map, sizeof *plan);
    plan->map = map;
    plan->map_size = (size_t)facts.st_size;
    size_t sizes[PLAN_ARRAYS];
    char *at = (char *)map + sizeof *plan;
    find_sizes(plan, sizes);
    for (size_t i = 0; i < PLAN_ARRAYS; at += sizes[i++])
        set_array(plan, i, at);
    return STATUS_OK;
}

uint64_t plan_peak(const struct replay_plan *plan)
{
    uint64_t live = 0, peak = 0;
    for (size_t i = 0; i < plan->count; i++) {
        size_t step = plan->step_of[i];
        for (size_t at = plan->freed_begin[step]; at < plan->freed_begin[step + 1]; at++)
            live -= plan->objects[plan->freed[at]].size;
        live += plan->objects[i].size;
        peak = live > peak ? live : peak;
    }
    return peak;
}

uint64_t plan_bytes(const struct replay_plan *plan)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < plan->count; i++)
        bytes += plan->objects[i].size;
    return bytes;
}

void plan_free(struct replay_plan *plan)
{
    if (plan->map)
        munmap(plan->map, plan->map_size);
    for (size_t i = 0; i < PLAN_ARRAYS && !plan->map; i++)
        free(array_of(plan, i));
    *plan = (struct replay_plan){.count = 0};
}
