/* SPDX-License-Identifier: MIT */
/* The oracle with a row for each event, and what oracles of all forms have in common. Events
 * are listed while the trace is read, so the state is made when the first records come, or in
 * `begin` if there are none. An event is a number made of the records since the last event, its
 * kind, and whether its thread is another one; if so, the thread follows. Most events take one
 * byte.
 *
 * Three streams are merged: the list of events, with the allocations, boundaries and recorded
 * deaths in the order of the trace; the births, with what is allocated; and what is freed, in
 * the order of frees. Computed deaths are in that order; the others are sorted first. */
#include "report/oracle/oracle.h"

#include "trace/record.h"

#include <inttypes.h>
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

/* What frees an object. */
enum free_by { FREE_BY_DEATH, FREE_BY_RECORDED_DEATH, FREE_BY_LAST_USE };

/* A row of what is freed. Its moment is the tick of a death, the number of a recorded death
 * among those of the trace, or the number of the record that is the last use. */
enum {
    FREE_MOMENT,
    FREE_ALLOCATION, /* of objects that are freed at the same moment, the oldest comes first */
    FREE_OBJECT,
    FREE_SIZE,
    FREE_SITE,
    FREE_TYPE,
    FREE_THREAD,
    FREE_NUMBERS
};
_Static_assert((int)FREE_NUMBERS <= (int)SORTED_ROW_MAX, "rows can be sorted");

/* The moment of objects that die at the end of the trace. */
#define MOMENT_OF_END UINT64_MAX

/* The merge of the three streams. */
struct free_merge {
    struct oracle *oracle;
    enum free_by by;
    struct birth_cursor *births;
    /* What is freed, with FREE_BY_DEATH; otherwise it comes from oracle->frees. */
    struct life_cursor *lives;
    uint64_t next[FREE_NUMBERS];
    bool has_next;
    bool next_has_row; /* prior objects have none */
    uint64_t freed;    /* events of frees so far, or recorded deaths */
    uint64_t tick;     /* boundaries so far */
};

/* Fails if ids repeat: in an oracle, objects would seem to die twice. */
static enum status check_ids(const struct report_material *material, struct failure *why)
{
    const char *how = "";
    uint64_t repeated = material->pass->counts.repeated;
    if (repeated == 0 || material->are_numbered)
        return STATUS_OK;
    if (material->is_recorded)
        how = ", with --replace-deaths instead of --no-deaths";
    return fail_at(why, STATUS_MEANING, material->trace, 0,
                   "%" PRIu64
                   " allocation%s an id that is allocated already, and an oracle could not "
                   "distinguish the objects; --renumber gives each an id of its own%s",
                   repeated, repeated == 1 ? " repeats" : "s repeat", how);
}

static enum free_by free_by_of(const struct report_material *material)
{
    if (material->settings->oracle_free == ORACLE_FREE_LAST_USE)
        return FREE_BY_LAST_USE;
    return material->is_recorded ? FREE_BY_RECORDED_DEATH : FREE_BY_DEATH;
}

static enum status oracle_events_begin(struct report *report, struct failure *why)
{
    const struct report_material *material = report->material;
    struct table *table = &report->table;
    struct oracle *oracle = NULL;
    TRY(check_ids(material, why));
    TRY(oracle_open(report, &oracle, why));
    if (free_by_of(material) != FREE_BY_DEATH)
        TRY(row_sort_open(&oracle->frees, FREE_NUMBERS, 2, material->temporary, why));
    report->ignores_lives = !oracle->frees; /* they come in the order of the events */
    table->separator = ',';
    table_names(table, "timestamp event_type object_id size site_id thread_id type_id");
    table_end_row(table);
    return STATUS_OK;
}

static void put_event(struct table *table, uint64_t timestamp, const char *type,
                      const uint64_t *row)
{
    table_number(table, timestamp);
    table_text(table, type);
    table_number(table, row[FREE_OBJECT]);
    table_number(table, row[FREE_SIZE]);
    table_number(table, row[FREE_SITE]);
    table_number(table, row[FREE_THREAD]);
    table_number(table, row[FREE_TYPE]);
    table_end_row(table);
}

static void fill_free(uint64_t *row, const struct life_facts *life, uint64_t moment)
{
    row[FREE_MOMENT] = moment;
    row[FREE_ALLOCATION] = life->allocation;
    row[FREE_OBJECT] = life->object;
    row[FREE_SIZE] = life->size;
    row[FREE_SITE] = life->site;
    row[FREE_TYPE] = life->type;
    row[FREE_THREAD] = life->thread;
}

/* Adds a life to what is sorted, if it is freed before the end. */
static enum status oracle_events_add_life(struct report *report, const struct life_facts *life,
                                          struct failure *why)
{
    struct oracle *oracle = report->state;
    bool by_use = report->material->settings->oracle_free == ORACLE_FREE_LAST_USE;
    bool is_freed = by_use ? life->use_count != USE_POSITION_END : life->has_died;
    uint64_t row[FREE_NUMBERS];
    if (!is_freed || life_is_prior(life))
        return STATUS_OK;
    fill_free(row, life, by_use ? life->use_count : life->recorded);
    return row_sort_add(oracle->frees, row, why);
}

/* Sets `next` from the next life, if it dies. */
static enum status take_death(struct free_merge *merge, struct failure *why)
{
    const uint64_t *thread = merge->oracle->material->death_thread;
    struct life_facts life;
    TRY(life_cursor_next(merge->lives, &life, why));
    fill_free(merge->next, &life, life.survives ? MOMENT_OF_END : life.died.tick);
    if (thread)
        merge->next[FREE_THREAD] = *thread;
    merge->next_has_row = !life_is_prior(&life);
    return life.has_died ? STATUS_OK : STATUS_END;
}

static enum status take_next(struct free_merge *merge, struct failure *why)
{
    enum status status = merge->lives ? take_death(merge, why)
                                      : row_sort_next(merge->oracle->frees, merge->next, why);
    merge->has_next = status == STATUS_OK;
    return status == STATUS_END ? STATUS_OK : status;
}

/* Puts the rows of what is freed up to `moment`. Each comes after as many records as its moment
 * says or, if deaths free objects, after `records`. */
static enum status put_frees(struct free_merge *merge, uint64_t moment, uint64_t records,
                             struct failure *why)
{
    const uint64_t *next = merge->next;
    while (merge->has_next && next[FREE_MOMENT] <= moment) {
        uint64_t before = merge->by == FREE_BY_LAST_USE ? next[FREE_MOMENT] : records;
        if (merge->next_has_row)
            put_event(merge->oracle->table, before + merge->freed, "free", next);
        merge->freed++;
        TRY(take_next(merge, why));
    }
    return STATUS_OK;
}

static enum status put_allocation(struct free_merge *merge, const struct listed_event *event,
                                  struct failure *why)
{
    struct birth_facts birth;
    TRY(birth_cursor_next(merge->births, &birth, why));
    const uint64_t row[FREE_NUMBERS] = {
        [FREE_OBJECT] = birth.object, [FREE_SIZE] = birth.size,     [FREE_SITE] = birth.site,
        [FREE_TYPE] = birth.type,     [FREE_THREAD] = birth.thread,
    };
    put_event(merge->oracle->table, event->records + merge->freed, "alloc", row);
    return STATUS_OK;
}

/* Puts the row of a recorded death; its thread is that of the record. */
static enum status put_recorded(struct free_merge *merge, const struct listed_event *event,
                                struct failure *why)
{
    uint64_t number = event->deaths + 1;
    if (!merge->has_next || merge->next[FREE_MOMENT] != number)
        return STATUS_OK;
    merge->next[FREE_THREAD] = event->thread;
    return put_frees(merge, number, event->records, why);
}

static enum status put_listed(struct free_merge *merge, const struct listed_event *event,
                              struct failure *why)
{
    if (merge->by == FREE_BY_RECORDED_DEATH)
        merge->freed = event->deaths;
    switch (event->kind) {
    case EVENT_ALLOCATION:
        if (merge->by == FREE_BY_LAST_USE)
            TRY(put_frees(merge, event->records, 0, why));
        return put_allocation(merge, event, why);
    case EVENT_BOUNDARY:
        return merge->by == FREE_BY_DEATH
                   ? put_frees(merge, ++merge->tick, event->records + 1, why)
                   : STATUS_OK;
    case EVENT_DEATH:
        break;
    }
    return merge->by == FREE_BY_RECORDED_DEATH ? put_recorded(merge, event, why) : STATUS_OK;
}

static enum status put_events(struct free_merge *merge, struct failure *why)
{
    struct oracle *oracle = merge->oracle;
    struct listed_event event;
    enum status status = take_next(merge, why);
    while (status == STATUS_OK) {
        status = event_cursor_next(&oracle->next_event, &event, why);
        if (status == STATUS_OK)
            status = interrupt_check(oracle->material->pass->interrupt, why);
        if (status == STATUS_OK)
            status = put_listed(merge, &event, why);
        if (status == STATUS_OK)
            status = oracle->table->status;
    }
    return status == STATUS_END ? put_frees(merge, UINT64_MAX, oracle->events.records, why)
                                : status;
}

static enum status open_streams(struct free_merge *merge, struct failure *why)
{
    struct oracle *oracle = merge->oracle;
    const struct life_stream *stream = oracle->material->stream;
    TRY(oracle_start_events(oracle, why));
    TRY(birth_cursor_open(&merge->births, stream, why));
    return oracle->frees ? row_sort_finish(oracle->frees, why)
                         : life_cursor_open(&merge->lives, stream, why);
}

static enum status oracle_events_finish(struct report *report, struct failure *why)
{
    struct free_merge merge = {
        .oracle = report->state,
        .by = free_by_of(report->material),
        .next_has_row = true,
    };
    enum status status = open_streams(&merge, why);
    if (status == STATUS_OK)
        status = put_events(&merge, why);
    birth_cursor_close(merge.births);
    life_cursor_close(merge.lives);
    return status;
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
     .traits = TRAIT_LIFETIMES,                                                                \
     .read = oracle_read,                                                                      \
     .restart = oracle_release,                                                                \
     .begin = oracle_events_begin,                                                             \
     .life = oracle_events_add_life,                                                           \
     .finish = oracle_events_finish,                                                           \
     .release = oracle_release}
#define ORACLE_OF_OBJECTS(more, reads)                                                         \
    {.is_table = true,                                                                         \
     .wants = (more),                                                                          \
     .traits = TRAIT_NAMES | TRAIT_LIFETIMES,                                                  \
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
