/* SPDX-License-Identifier: MIT */
/* What oracles of all forms have in common. Events are listed while the trace is read, so the
 * state is made when the first records come, or in `begin` if there are none. An event is a
 * number made of the records since the last event, its kind, and whether its thread is another
 * one; if so, the thread follows. Most events take one byte. */
#include "report/oracle/oracle.h"

#include "base/bytes.h"
#include "io/temporary/numbers.h"
#include "report/report.h"
#include "trace/record.h"

#include <stdlib.h>

enum { OTHER_THREAD = 1, KIND_SHIFT = 1, STEP_SHIFT = 3 };

struct event_list {
    struct number_list *numbers;
    uint64_t count;           /* of events */
    uint64_t records;         /* so far */
    struct listed_event last; /* the last event */
};

struct event_cursor {
    struct number_cursor *numbers;
    uint64_t left;
    struct listed_event last;
};

enum status event_list_open(struct event_list **out, const struct temporary_folder *temporary,
                            struct failure *why)
{
    struct event_list *list = calloc(1, sizeof *list);
    if (!list)
        return fail_memory(why);
    enum status status = number_list_open(&list->numbers, temporary, why);
    if (status == STATUS_OK)
        *out = list;
    else
        event_list_close(list);
    return status;
}

static enum status add_event(struct event_list *list, enum event_kind kind, uint64_t thread,
                             struct failure *why)
{
    uint64_t step = list->records - list->last.records;
    bool other_thread = thread != list->last.thread;
    uint64_t head =
        step << STEP_SHIFT | (uint64_t)kind << KIND_SHIFT | (other_thread ? OTHER_THREAD : 0);
    enum status status = number_list_add(list->numbers, head, why);
    if (status == STATUS_OK && other_thread)
        status = number_list_add(list->numbers, thread, why);
    list->last.records = list->records;
    list->last.thread = thread;
    list->count++;
    return status;
}

enum status event_list_add(struct event_list *list, const struct batch *batch,
                           struct failure *why)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < batch->count && status == STATUS_OK; i++) {
        const struct record *record = &batch->records[i];
        if (record->kind == RECORD_DEATH)
            status = add_event(list, EVENT_DEATH, record->death_thread, why);
        else if (record_is_boundary(record->kind))
            status = add_event(list, EVENT_BOUNDARY, record->thread, why);
        else if (record_is_allocation(record->kind) && !record_is_prior(record->kind))
            status = add_event(list, EVENT_ALLOCATION, record->thread, why);
        list->records += record->kind != RECORD_DEATH;
    }
    return status;
}

enum status event_list_finish(struct event_list *list, struct failure *why)
{
    return number_list_finish(list->numbers, why);
}

uint64_t event_list_records(const struct event_list *list)
{
    return list->records;
}

void event_list_close(struct event_list *list)
{
    if (!list)
        return;
    number_list_close(list->numbers);
    free(list);
}

enum status event_cursor_open(struct event_cursor **out, const struct event_list *list,
                              struct failure *why)
{
    struct event_cursor *cursor = calloc(1, sizeof *cursor);
    if (!cursor)
        return fail_memory(why);
    cursor->left = list->count;
    enum status status = number_cursor_open(&cursor->numbers, list->numbers, why);
    if (status == STATUS_OK)
        *out = cursor;
    else
        event_cursor_close(cursor);
    return status;
}

enum status event_cursor_next(struct event_cursor *cursor, struct listed_event *event,
                              struct failure *why)
{
    struct listed_event *last = &cursor->last;
    uint64_t head = 0;
    if (cursor->left == 0)
        return STATUS_END;
    cursor->left--;
    last->deaths += last->kind == EVENT_DEATH;
    enum status status = number_cursor_next(cursor->numbers, &head, why);
    if (status == STATUS_OK && head & OTHER_THREAD)
        status = number_cursor_next(cursor->numbers, &last->thread, why);
    last->kind = (enum event_kind)(head >> KIND_SHIFT & 3);
    last->records += head >> STEP_SHIFT;
    *event = *last;
    return status;
}

void event_cursor_close(struct event_cursor *cursor)
{
    if (!cursor)
        return;
    number_cursor_close(cursor->numbers);
    free(cursor);
}

enum status oracle_open(struct report *report, struct oracle **out, struct failure *why)
{
    struct oracle *oracle = report->state;
    if (!oracle) {
        oracle = report->state = calloc(1, sizeof *oracle);
        if (!oracle)
            return fail_memory(why);
        oracle->material = report->material;
        oracle->table = &report->table;
    }
    *out = oracle;
    return STATUS_OK;
}

static enum status open_events(struct oracle *oracle, struct failure *why)
{
    return oracle->events ? STATUS_OK
                          : event_list_open(&oracle->events, oracle->material->temporary, why);
}

static enum status oracle_read(struct report *report, const struct batch *batch,
                               struct failure *why)
{
    struct oracle *oracle = NULL;
    TRY(oracle_open(report, &oracle, why));
    TRY(open_events(oracle, why));
    return event_list_add(oracle->events, batch, why);
}

enum status oracle_start_events(struct oracle *oracle, struct failure *why)
{
    TRY(open_events(oracle, why)); /* since the trace may be empty */
    TRY(event_list_finish(oracle->events, why));
    return event_cursor_open(&oracle->next_event, oracle->events, why);
}

static void oracle_release(struct report *report)
{
    struct oracle *oracle = report->state;
    if (!oracle)
        return;
    event_cursor_close(oracle->next_event);
    event_list_close(oracle->events);
    row_sort_close(oracle->frees);
    map_free(&oracle->all);
    map_free(&oracle->made);
    free(oracle->name.text);
    free(oracle);
    report->state = NULL;
}

#define ORACLE_OF_EVENTS(more)                                                                 \
    {.is_table = true,                                                                         \
     .wants = (more),                                                                          \
     .read = oracle_read,                                                                      \
     .restart = oracle_release,                                                                \
     .begin = oracle_events_begin,                                                             \
     .life = oracle_events_add_life,                                                           \
     .finish = oracle_events_finish,                                                           \
     .release = oracle_release}
#define ORACLE_OF_OBJECTS(more, reads)                                                         \
    {.is_table = true,                                                                         \
     .wants = (more),                                                                          \
     .shows_names = true,                                                                      \
     .read = reads,                                                                            \
     .restart = oracle_release,                                                                \
     .begin = oracle_objects_begin,                                                            \
     .life = oracle_objects_add_life,                                                          \
     .finish = oracle_objects_finish,                                                          \
     .release = oracle_release}

const struct report_class oracle_reports[ORACLE_FORMS][ORACLE_FREES] = {
    [ORACLE_EVENTS] = {ORACLE_OF_EVENTS(0), ORACLE_OF_EVENTS(WANT_USE_RECORDS)},
    [ORACLE_OBJECTS] = {ORACLE_OF_OBJECTS(0, NULL), ORACLE_OF_OBJECTS(WANT_USE_COUNTS, NULL)},
    [ORACLE_THREADS] = {ORACLE_OF_OBJECTS(0, oracle_read),
                        ORACLE_OF_OBJECTS(WANT_USE_THREADS, NULL)},
};
