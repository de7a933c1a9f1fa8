/* SPDX-License-Identifier: MIT */
/* A row of the form objects has the number of its allocation, one of threads that number within
 * its thread. Events have ids: an alloc row is the next allocation of its id without a row, and
 * a free row frees the last one with a row. A free row happens between the alloc rows around
 * it. If timestamps number the records of the trace and the frees, they show when exactly.
 * Otherwise the latest moment is taken, just before the next of these allocations, so that what
 * is then freed too early is too early in any case. */
#include "report/check/check.h"

#include "base/map.h"
#include "base/memory.h"

#include <stdlib.h>

/* Sizes are kept as sums, so that the bytes between two allocations are a difference. The
 * numbers of records ascend, so that a position in the trace is found by bisection. */
static enum status traced_add_allocation(struct traced *traced, const struct record *record,
                                         struct failure *why)
{
    size_t number = traced->passed++;
    if (record_is_prior(record->kind))
        return STATUS_OK;
    if (!ARRAY_RESERVE(traced->allocations, traced->capacity, traced->count + 1))
        return fail_memory(why);
    struct traced_allocation allocation = {.number = number,
                                           .object = record->object,
                                           .thread = traced->explicit_time ? 0 : record->thread,
                                           .record = traced->lines.records};
    if (__builtin_add_overflow(traced_bytes(traced, traced->count), record->size,
                               &allocation.bytes))
        return fail(why, STATUS_LIMIT, "More than 2^64-1 bytes are allocated");
    traced->allocations[traced->count++] = allocation;
    return STATUS_OK;
}

enum status traced_add(struct traced *traced, const struct batch *batch, struct failure *why)
{
    for (size_t i = 0; i < batch->count; i++) {
        const struct record *record = &batch->records[i];
        if (record->kind == RECORD_DEATH)
            continue;
        TRY(line_map_add(&traced->lines, batch->first_line + record->line, why));
        if (record_is_allocation(record->kind))
            TRY(traced_add_allocation(traced, record, why));
    }
    return STATUS_OK;
}

uint64_t traced_bytes(const struct traced *traced, size_t count)
{
    return count > 0 ? traced->allocations[count - 1].bytes : 0;
}

uint64_t traced_size(const struct traced *traced, size_t allocation)
{
    return traced_bytes(traced, allocation + 1) - traced_bytes(traced, allocation);
}

uint64_t traced_line(const struct traced *traced, size_t allocation)
{
    return line_map_line(&traced->lines, traced->allocations[allocation].record);
}

size_t traced_made(const struct traced *traced, uint64_t records)
{
    size_t low = 0, high = traced->count;
    BISECT(low, high, at, traced->allocations[at].record <= records);
    return low;
}

void traced_free(struct traced *traced)
{
    free(traced->allocations);
    line_map_free(&traced->lines);
    *traced = (struct traced){.allocations = NULL};
}

struct matcher {
    struct matching *matching;
    struct oracle_rows *rows;
    enum oracle_form form;
    const struct traced *traced;
    const struct frames *frames;
    uint64_t distinct; /* rows so far that do not repeat another */

    /* For threads. */
    size_t *order;  /* numbers of allocations, thread by thread */
    size_t *begin;  /* of each thread in `order`; one more for the end */
    uint64_t *last; /* the sequence of the last row of each thread */

    /* For events. */
    struct map next;    /* id -> 1 + its next allocation without a row; 0: there is none */
    struct map current; /* id -> 1 + its last allocation with a row */
    size_t *next_same;  /* by allocation: 1 + the next one of its id; 0: there is none */
    size_t *pending;    /* allocations freed since the last alloc row */
    size_t pending_count;
    size_t position; /* 1 + the allocation of the last alloc row */
    uint64_t frees;  /* free rows so far */
};

/* Adds a row to the faulty ones. `allocation`: its number from 1; 0: it has none. */
static enum status add_faulty(struct matcher *matcher, const struct oracle_row *row,
                              enum row_fault fault, uint64_t allocation, struct failure *why)
{
    struct matching *matching = matcher->matching;
    if (!ARRAY_RESERVE(matching->faulty, matching->faulty_capacity, matching->faulty_count + 1))
        return fail_memory(why);
    matching->faulty[matching->faulty_count++] =
        (struct faulty_row){row->line, row->object, fault, allocation};
    return STATUS_OK;
}

/* Counts a row that does not repeat another one. There cannot be more of these than
 * allocations. */
static enum status count_distinct(struct matcher *matcher, const struct oracle_row *row,
                                  struct failure *why)
{
    if (++matcher->distinct <= matcher->traced->count)
        return STATUS_OK;
    return oracle_rows_reject(matcher->rows, row->line,
                              "The oracle has more rows than the trace has allocations", why);
}

static enum status add_unmatched_row(struct matcher *matcher, const struct oracle_row *row,
                                     struct failure *why)
{
    TRY(count_distinct(matcher, row, why));
    return add_faulty(matcher, row, ROW_UNKNOWN, 0, why);
}

/* Compares the id and the size of a row with those of its allocation. */
static enum status check_facts(struct matcher *matcher, const struct oracle_row *row,
                               size_t allocation, struct failure *why)
{
    const struct traced *traced = matcher->traced;
    if (row->object != traced->allocations[allocation].object)
        return add_faulty(matcher, row, ROW_OTHER_OBJECT, allocation + 1, why);
    if (row->size != traced_size(traced, allocation))
        return add_faulty(matcher, row, ROW_OTHER_SIZE, allocation + 1, why);
    return STATUS_OK;
}

/* Records that a row of objects or threads is about the allocation, and frees it at allocation
 * number `freed_at`, from 1; 0: not before the end. */
static enum status match_row(struct matcher *matcher, const struct oracle_row *row,
                             size_t allocation, uint64_t freed_at, struct failure *why)
{
    struct oracle_match *match = &matcher->matching->matches[allocation];
    if (match->line > 0)
        return add_faulty(matcher, row, ROW_FREED_TWICE, allocation + 1, why);
    *match =
        (struct oracle_match){.line = row->line, .free_line = row->line, .freed_at = freed_at};
    TRY(count_distinct(matcher, row, why));
    return check_facts(matcher, row, allocation, why);
}

static enum status match_object(struct matcher *matcher, const struct oracle_row *row,
                                struct failure *why)
{
    uint64_t count = matcher->traced->count, freed_at = row->free_sequence;
    if (row->sequence == 0 || row->sequence > count)
        return add_unmatched_row(matcher, row, why);
    if (freed_at == 0)
        freed_at = 1;
    if (freed_at > count + 1)
        TRY(add_faulty(matcher, row, ROW_NO_MOMENT, row->sequence, why));
    return match_row(matcher, row, (size_t)row->sequence - 1, freed_at <= count ? freed_at : 0,
                     why);
}

static size_t made_by(const struct matcher *matcher, uint32_t thread)
{
    return matcher->begin[thread + 1] - matcher->begin[thread];
}

/* Sets *freed_at as match_row wants it. False: the row frees neither at an allocation of a
 * thread nor at its end. */
static bool find_moment(const struct matcher *matcher, const struct oracle_row *row,
                        uint64_t *freed_at)
{
    uint32_t thread = frames_known(matcher->frames, row->free_thread);
    uint64_t sequence = row->free_sequence > 0 ? row->free_sequence : 1;
    *freed_at = 0;
    if (thread == NO_THREAD || sequence > made_by(matcher, thread) + 1)
        return false;
    if (sequence <= made_by(matcher, thread))
        *freed_at = matcher->order[matcher->begin[thread] + sequence - 1] + 1;
    return true;
}

static enum status match_thread(struct matcher *matcher, const struct oracle_row *row,
                                struct failure *why)
{
    uint32_t thread = frames_known(matcher->frames, row->thread);
    if (thread == NO_THREAD || row->sequence == 0 || row->sequence > made_by(matcher, thread))
        return add_unmatched_row(matcher, row, why);
    if (row->sequence < matcher->last[thread])
        return oracle_rows_reject(matcher->rows, row->line,
                                  "The thread counts its allocations backwards", why);
    matcher->last[thread] = row->sequence;
    size_t allocation = matcher->order[matcher->begin[thread] + row->sequence - 1];
    uint64_t freed_at;
    if (!find_moment(matcher, row, &freed_at))
        TRY(add_faulty(matcher, row, ROW_NO_MOMENT, allocation + 1, why));
    return match_row(matcher, row, allocation, freed_at, why);
}

/* Settles what free rows have named since the last alloc row: it is freed at allocation number
 * `freed_at`. */
static void settle_pending(struct matcher *matcher, uint64_t freed_at)
{
    for (size_t i = 0; i < matcher->pending_count; i++)
        matcher->matching->matches[matcher->pending[i]].freed_at = freed_at;
    matcher->pending_count = 0;
}

/* The number of records before an event, if its timestamp is its position among the records of
 * the trace and the free rows. */
static uint64_t records_before(const struct matcher *matcher, const struct oracle_row *row)
{
    return row->sequence > matcher->frees ? row->sequence - matcher->frees : 0;
}

static enum status match_alloc(struct matcher *matcher, const struct oracle_row *row,
                               struct failure *why)
{
    uint64_t *next = map_find(&matcher->next, row->object);
    if (!next || *next == 0)
        return add_faulty(matcher, row, ROW_UNKNOWN, 0, why);
    size_t allocation = (size_t)*next - 1;
    *next = matcher->next_same[allocation];
    uint64_t *current = map_insert(&matcher->current, row->object);
    if (!current)
        return fail_memory(why);
    *current = allocation + 1;
    matcher->matching->matches[allocation].line = row->line;
    if (records_before(matcher, row) + 1 != matcher->traced->allocations[allocation].record)
        matcher->matching->numbers_records = false;
    TRY(check_facts(matcher, row, allocation, why));
    if (allocation < matcher->position)
        return add_faulty(matcher, row, ROW_OUT_OF_ORDER, allocation + 1, why);
    settle_pending(matcher, allocation + 1);
    matcher->position = allocation + 1;
    return STATUS_OK;
}

static enum status match_free(struct matcher *matcher, const struct oracle_row *row,
                              struct failure *why)
{
    uint64_t records = records_before(matcher, row);
    const uint64_t *number = map_find(&matcher->current, row->object);
    matcher->frees++;
    if (!number)
        number = map_find(&matcher->next, row->object);
    if (!number)
        return add_faulty(matcher, row, ROW_UNKNOWN, 0, why);
    struct oracle_match *match = &matcher->matching->matches[*number - 1];
    if (match->free_line > 0)
        return add_faulty(matcher, row, ROW_FREED_TWICE, *number, why);
    match->free_line = row->line;
    match->freed_after = records;
    matcher->pending[matcher->pending_count++] = (size_t)*number - 1;
    return STATUS_OK;
}

static enum status match_next(struct matcher *matcher, const struct oracle_row *row,
                              struct failure *why)
{
    switch (matcher->form) {
    case ORACLE_OBJECTS:
        return match_object(matcher, row, why);
    case ORACLE_THREADS:
        return match_thread(matcher, row, why);
    default:
        return row->is_free ? match_free(matcher, row, why) : match_alloc(matcher, row, why);
    }
}

static uint32_t matched_thread_of(const struct matcher *matcher, size_t allocation)
{
    return frames_known(matcher->frames, matcher->traced->allocations[allocation].thread);
}

/* Sorts the allocations by their threads, by counting. */
static enum status sort_by_thread(struct matcher *matcher, struct failure *why)
{
    size_t count = matcher->traced->count;
    size_t threads = frames_thread_count(matcher->frames);
    matcher->order = array_new(count, sizeof *matcher->order);
    matcher->begin = array_new(threads + 2, sizeof *matcher->begin);
    matcher->last = array_new(threads, sizeof *matcher->last);
    if (!matcher->order || !matcher->begin || !matcher->last)
        return fail_memory(why);
    /* Each thread is counted two entries after its own. Summed up, entry thread + 1 is where it
     * begins, and after its allocations have been placed, where the next thread begins. */
    for (size_t i = 0; i < count; i++)
        matcher->begin[matched_thread_of(matcher, i) + 2]++;
    for (size_t i = 1; i <= threads; i++)
        matcher->begin[i + 1] += matcher->begin[i];
    for (size_t i = 0; i < count; i++)
        matcher->order[matcher->begin[matched_thread_of(matcher, i) + 1]++] = i;
    return STATUS_OK;
}

/* Links the allocations of each id, from the last one on. */
static enum status link_ids(struct matcher *matcher, struct failure *why)
{
    const struct traced *traced = matcher->traced;
    matcher->next_same = array_new(traced->count, sizeof *matcher->next_same);
    matcher->pending = array_new(traced->count, sizeof *matcher->pending);
    if (!matcher->next_same || !matcher->pending)
        return fail_memory(why);
    for (size_t i = traced->count; i > 0; i--) {
        uint64_t *next = map_insert(&matcher->next, traced->allocations[i - 1].object);
        if (!next)
            return fail_memory(why);
        matcher->next_same[i - 1] = (size_t)*next;
        *next = i;
    }
    return STATUS_OK;
}

static enum status prepare_matching(struct matcher *matcher, struct failure *why)
{
    struct matching *matching = matcher->matching;
    matching->form = matcher->form;
    matching->numbers_records = matcher->form == ORACLE_EVENTS;
    matching->matches = array_new(matcher->traced->count, sizeof *matching->matches);
    if (!matching->matches)
        return fail_memory(why);
    if (matcher->form == ORACLE_OBJECTS)
        return STATUS_OK;
    return matcher->form == ORACLE_THREADS ? sort_by_thread(matcher, why)
                                           : link_ids(matcher, why);
}

static void release(struct matcher *matcher)
{
    free(matcher->order);
    free(matcher->begin);
    free(matcher->last);
    map_free(&matcher->next);
    map_free(&matcher->current);
    free(matcher->next_same);
    free(matcher->pending);
}

enum status matching_read(struct matching *matching, struct oracle_rows *rows,
                          const struct traced *traced, const struct frames *frames,
                          struct failure *why)
{
    struct matcher matcher = {.matching = matching,
                              .rows = rows,
                              .form = oracle_rows_form(rows),
                              .traced = traced,
                              .frames = frames};
    struct oracle_row row;
    enum status status = prepare_matching(&matcher, why);
    while (status == STATUS_OK && (status = oracle_rows_next(rows, &row, why)) == STATUS_OK) {
        matching->rows++;
        status = match_next(&matcher, &row, why);
    }
    settle_pending(&matcher, traced->count + 1);
    release(&matcher);
    return status == STATUS_END ? STATUS_OK : status;
}

void matching_free(struct matching *matching)
{
    free(matching->matches);
    free(matching->faulty);
    *matching = (struct matching){.matches = NULL};
}
