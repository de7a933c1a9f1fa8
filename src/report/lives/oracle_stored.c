/* SPDX-License-Identifier: MIT */
/* Lives are told in the order of death, and rows stand in that of allocation: late_rows.h puts
 * them there. Which thread frees, and at which of its allocations, the second reading tells: in
 * it, deaths come by in the order in which they are stored. */
#include "report/lives/oracle_stored.h"

#include "base/memory.h"
#include "report/lives/late_rows.h"
#include "report/lives/oracle_objects.h"
#include "report/lives/oracle_threads.h"

#include <stdlib.h>

/* Rows: what there is of all, then of those of threads. */
enum {
    ROW_FREED = LATE_FIRST, /* allocations before it is freed */
    ROW_SIZE,
    ROW_TYPE,
    ROW_OBJECT,
    ROW_OBJECT_END,
    ROW_THREAD = ROW_OBJECT_END, /* ids */
    ROW_FREE_THREAD,
    ROW_THREAD_END
};
_Static_assert((int)ROW_THREAD_END <= (int)LATE_ROW_MAX, "rows have room");

struct oracle_stored {
    const struct history *history;
    struct late_rows *rows;
    struct java_name name;
    /* Of threads: */
    struct life_cursor *cursor; /* at what dies next */
    uint64_t *made;             /* allocations of each thread so far */
    uint32_t thread;            /* of the boundary that came by; NO_THREAD: it is unknown */
};

static enum status oracle_stored_begin(struct report *report, size_t width, struct failure *why)
{
    const struct report_material *material = report->material;
    struct oracle_stored *oracle = report->state = calloc(1, sizeof *oracle);
    if (!oracle)
        return fail_memory(why);
    oracle->history = material->history;
    return late_rows_open(&oracle->rows, width, material->place, why);
}

enum status oracle_stored_objects_begin(struct report *report, struct failure *why)
{
    oracle_objects_head(&report->table);
    return oracle_stored_begin(report, ROW_OBJECT_END, why);
}

/* A row without what it tells of its free. */
static void fill_row(uint64_t *row, const struct life_facts *life)
{
    row[LATE_PLACE] = life->allocation;
    row[LATE_ORDER] = 0;
    row[LATE_KNOWN] = life->died_allocations;
    row[ROW_SIZE] = life->size;
    row[ROW_TYPE] = life->type;
    row[ROW_OBJECT] = life->object;
}

enum status oracle_stored_objects_ended(struct report *report, const struct life_facts *life,
                                        struct failure *why)
{
    const struct oracle_stored *oracle = report->state;
    uint64_t row[LATE_ROW_MAX], all = stored_lives_summary(report->material->stored)->lives;
    fill_row(row, life);
    if (oracle->history->use_places)
        row[ROW_FREED] = life->use_count == USE_PLACE_END ? all : life->use_count;
    else
        row[ROW_FREED] = life->survives ? all : life->died_allocations;
    return late_rows_add(oracle->rows, row, why);
}

/* Puts what rows of both forms end with. */
static enum status put_row_end(struct report *report, const uint64_t *row, struct failure *why)
{
    struct oracle_stored *oracle = report->state;
    struct table *table = &report->table;
    table_number(table, row[ROW_SIZE]);
    enum status status =
        oracle_put_type(table, report->material->names, row[ROW_TYPE], &oracle->name, why);
    table_number(table, row[ROW_OBJECT]);
    table_end_row(table);
    return status == STATUS_OK ? table->status : status;
}

enum status oracle_stored_objects_finish(struct report *report, struct failure *why)
{
    struct oracle_stored *oracle = report->state;
    uint64_t row[LATE_ROW_MAX];
    enum status status = late_rows_finish(oracle->rows, why);
    while (status == STATUS_OK) {
        status = late_rows_next(oracle->rows, row, why);
        if (status != STATUS_OK)
            break;
        table_number(&report->table, row[LATE_PLACE] + 1);
        table_number(&report->table, row[ROW_FREED] + 1);
        status = put_row_end(report, row, why);
    }
    return status == STATUS_END ? STATUS_OK : status;
}

enum status oracle_stored_threads_begin(struct report *report, struct failure *why)
{
    oracle_threads_head(&report->table);
    enum status status = oracle_stored_begin(report, ROW_THREAD_END, why);
    if (status != STATUS_OK)
        return status;
    struct oracle_stored *oracle = report->state;
    size_t threads = frames_thread_count(oracle->history->heap.frames);
    oracle->made = array_new(threads, sizeof *oracle->made);
    oracle->thread = NO_THREAD;
    if (!oracle->made)
        return fail_memory(why);
    return life_cursor_open(&oracle->cursor, report->material->stored, why);
}

/* The number of the thread of a record, all of which share one if they have none. Only of a
 * trace that has been changed since it is NO_THREAD. */
static uint32_t stored_thread_of(const struct oracle_stored *oracle, uint64_t id)
{
    return frames_known(oracle->history->heap.frames, oracle->history->explicit_time ? 0 : id);
}

enum status oracle_stored_threads_allocated(struct report *report, const struct record *record,
                                            uint64_t line, uint64_t event, struct failure *why)
{
    struct oracle_stored *oracle = report->state;
    uint32_t thread = stored_thread_of(oracle, record->thread);
    (void)line, (void)event, (void)why;
    if (thread != NO_THREAD)
        oracle->made[thread]++;
    return STATUS_OK;
}

void oracle_stored_threads_boundary(struct report *report, const struct record *boundary)
{
    struct oracle_stored *oracle = report->state;
    oracle->thread = stored_thread_of(oracle, boundary->thread);
}

/* Adds the row of a life that ends now. What lives to the end is freed by its own thread. */
static enum status add_thread_row(struct oracle_stored *oracle, const struct life_facts *life,
                                  struct failure *why)
{
    const struct frames *frames = oracle->history->heap.frames;
    uint64_t row[LATE_ROW_MAX];
    bool by_use = oracle->history->use_places != NULL;
    bool to_end = by_use ? life->use_count == USE_PLACE_END : life->survives;
    uint32_t thread = to_end ? frames_known(frames, life->thread) : oracle->thread;
    fill_row(row, life);
    row[ROW_THREAD] = life->thread;
    if (by_use && !to_end) {
        row[ROW_FREE_THREAD] = life->use_thread;
        row[ROW_FREED] = life->use_count;
    } else if (thread != NO_THREAD) {
        row[ROW_FREE_THREAD] = frames_thread_id(frames, thread);
        row[ROW_FREED] = oracle->made[thread];
    } else {
        row[ROW_FREE_THREAD] = row[ROW_FREED] = 0;
    }
    return late_rows_add(oracle->rows, row, why);
}

enum status oracle_stored_threads_died(struct report *report, const struct record *death,
                                       node_t node, uint64_t event, struct failure *why)
{
    struct oracle_stored *oracle = report->state;
    struct life_facts life;
    (void)death, (void)node, (void)event;
    enum status status = life_cursor_next(oracle->cursor, &life, why);
    if (status == STATUS_OK)
        status = add_thread_row(oracle, &life, why);
    return status == STATUS_END ? STATUS_OK : status;
}

/* Adds the rows of what no death has come by of. */
static enum status add_thread_rest(struct oracle_stored *oracle, struct failure *why)
{
    struct life_facts life;
    enum status status = STATUS_OK;
    while (status == STATUS_OK) {
        status = life_cursor_next(oracle->cursor, &life, why);
        if (status == STATUS_OK)
            status = add_thread_row(oracle, &life, why);
    }
    return status == STATUS_END ? STATUS_OK : status;
}

/* The rows in the order of allocation; `sequences` counts those of each thread. */
static enum status put_thread_rows(struct report *report, uint64_t *sequences,
                                   struct failure *why)
{
    struct oracle_stored *oracle = report->state;
    struct table *table = &report->table;
    uint64_t row[LATE_ROW_MAX];
    enum status status = STATUS_OK;
    while (status == STATUS_OK) {
        status = late_rows_next(oracle->rows, row, why);
        if (status != STATUS_OK)
            break;
        table_number(table, row[ROW_THREAD]);
        table_number(table,
                     ++sequences[frames_known(oracle->history->heap.frames, row[ROW_THREAD])]);
        table_number(table, row[ROW_FREE_THREAD]);
        table_number(table, row[ROW_FREED] + 1);
        status = put_row_end(report, row, why);
    }
    return status == STATUS_END ? STATUS_OK : status;
}

enum status oracle_stored_threads_finish(struct report *report, struct failure *why)
{
    struct oracle_stored *oracle = report->state;
    uint64_t *sequences =
        array_new(frames_thread_count(oracle->history->heap.frames), sizeof *sequences);
    enum status status = sequences ? add_thread_rest(oracle, why) : fail_memory(why);
    if (status == STATUS_OK)
        status = late_rows_finish(oracle->rows, why);
    if (status == STATUS_OK)
        status = put_thread_rows(report, sequences, why);
    free(sequences);
    return status;
}

void oracle_stored_release(struct report *report)
{
    struct oracle_stored *oracle = report->state;
    if (!oracle)
        return;
    late_rows_close(oracle->rows);
    life_cursor_close(oracle->cursor);
    free(oracle->made);
    free(oracle->name.text);
    free(oracle);
}
