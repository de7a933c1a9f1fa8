/* SPDX-License-Identifier: MIT */
/* What oracles of all forms have in common. Events are listed while the trace is read, so the
 * state is made when the first records come, or in `begin` if there are none. An event is a
 * number made of the records since the last event, its kind, and whether its thread is another
 * one; if so, the thread follows. Most events take one byte. */
#include "report/oracle/oracle.h"

#include "base/bytes.h"
#include "report/report.h"
#include "trace/record.h"

#include <stdlib.h>

enum { OTHER_THREAD = 1, KIND_SHIFT = 1, STEP_SHIFT = 3 };

static enum status add_event(struct event_list *list, enum event_kind kind, uint64_t thread,
                             struct failure *why)
{
    uint64_t step = list->records - list->last.records;
    bool other_thread = thread != list->last.thread;
    uint64_t head =
        step << STEP_SHIFT | (uint64_t)kind << KIND_SHIFT | (other_thread ? OTHER_THREAD : 0);
    TRY(number_list_add(list->numbers, head, why));
    if (other_thread)
        TRY(number_list_add(list->numbers, thread, why));
    list->last.records = list->records;
    list->last.thread = thread;
    list->count++;
    return STATUS_OK;
}

enum status event_list_add(struct event_list *list, const struct batch *batch,
                           struct failure *why)
{
    for (size_t i = 0; i < batch->count; i++) {
        const struct record *record = &batch->records[i];
        if (record->kind == RECORD_DEATH)
            TRY(add_event(list, EVENT_DEATH, record->death_thread, why));
        else if (record_is_boundary(record->kind))
            TRY(add_event(list, EVENT_BOUNDARY, record->thread, why));
        else if (record_is_allocation(record->kind) && !record_is_prior(record->kind))
            TRY(add_event(list, EVENT_ALLOCATION, record->thread, why));
        list->records += record->kind != RECORD_DEATH;
    }
    return STATUS_OK;
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
    TRY(number_cursor_next(cursor->numbers, &head, why));
    if (head & OTHER_THREAD)
        TRY(number_cursor_next(cursor->numbers, &last->thread, why));
    last->kind = (enum event_kind)(head >> KIND_SHIFT & 3);
    last->records += head >> STEP_SHIFT;
    *event = *last;
    return STATUS_OK;
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
    struct number_list **numbers = &oracle->events.numbers;
    return *numbers ? STATUS_OK : number_list_open(numbers, oracle->material->temporary, why);
}

static enum status oracle_read(struct report *report, const struct batch *batch,
                               struct failure *why)
{
    struct oracle *oracle = NULL;
    TRY(oracle_open(report, &oracle, why));
    TRY(open_events(oracle, why));
    return event_list_add(&oracle->events, batch, why);
}

enum status oracle_start_events(struct oracle *oracle, struct failure *why)
{
    TRY(open_events(oracle, why)); /* since the trace may be empty */
    TRY(number_list_finish(oracle->events.numbers, why));
    oracle->next_event.left = oracle->events.count;
    return number_cursor_open(&oracle->next_event.numbers, oracle->events.numbers, why);
}

static void oracle_release(struct report *report)
{
    struct oracle *oracle = report->state;
    if (!oracle)
        return;
    number_cursor_close(oracle->next_event.numbers);
    number_list_close(oracle->events.numbers);
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
