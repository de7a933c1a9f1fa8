/* SPDX-License-Identifier: MIT */
/* An event is a number made of the records since the last event, its kind, and whether its
 * thread is another one; if so, the thread follows. Most events take one byte. */
#include "report/oracle/event_list.h"

#include "base/bytes.h"
#include "io/temporary/numbers.h"
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
