/* SPDX-License-Identifier: MIT */
/* Allocations, boundaries and recorded deaths come in the order of the trace, from the list of
 * events; what is allocated, from the births; what is freed comes in the order in which it is:
 * deaths are in that order, last uses and recorded deaths are sorted first. So three streams
 * are merged. */
#include "report/oracle/oracle_events.h"

#include "io/row_sort.h"
#include "report/lives/event_list.h"

#include <inttypes.h>

/* What frees an object. */
enum free_by { FREE_BY_DEATH, FREE_BY_RECORDED_DEATH, FREE_BY_LAST_USE };

/* A row of what is freed. Its moment is the tick of a death, the number of a recorded death
 * among those of the trace, or that of the record which is the last use. */
enum {
    FREE_MOMENT,
    FREE_ALLOCATION, /* of what is freed at one moment, what was allocated first comes first */
    FREE_OBJECT,
    FREE_SIZE,
    FREE_SITE,
    FREE_TYPE,
    FREE_THREAD,
    FREE_NUMBERS
};
_Static_assert((int)FREE_NUMBERS <= (int)SORTED_ROW_MAX, "rows can be sorted");

/* The moment of what dies with the trace. */
#define MOMENT_OF_END UINT64_MAX

struct oracle_events {
    const struct report_material *material;
    struct table *table;
    enum free_by by;
    struct event_cursor *events;
    struct birth_cursor *births;
    struct life_cursor *lives; /* FREE_BY_DEATH: what is freed, */
    struct row_sort *frees;    /* else this */
    uint64_t next[FREE_NUMBERS];
    bool has_next;
    bool next_has_row; /* prior objects have none */
    uint64_t freed;    /* events of frees so far, or recorded deaths */
    uint64_t tick;     /* boundaries so far */
};

/* Ids that repeat would be objects that die twice. */
static enum status check_ids(const struct report_material *material, struct failure *why)
{
    const char *how = "";
    uint64_t repeated = material->history->counts.repeated;
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

enum status oracle_events_begin(struct report *report, struct failure *why)
{
    struct table *table = &report->table;
    enum status status = check_ids(report->material, why);
    if (status != STATUS_OK)
        return status;
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
static enum status add_free(const struct oracle_events *oracle, const struct life_facts *life,
                            struct failure *why)
{
    bool by_use = oracle->by == FREE_BY_LAST_USE;
    bool is_freed = by_use ? life->use_count != USE_PLACE_END : life->has_died;
    uint64_t row[FREE_NUMBERS];
    if (!is_freed || life_is_prior(life))
        return STATUS_OK;
    fill_free(row, life, by_use ? life->use_count : life->recorded);
    return row_sort_add(oracle->frees, row, why);
}

/* Sorts what is freed. */
static enum status sort_frees(struct oracle_events *oracle, struct failure *why)
{
    const struct report_material *material = oracle->material;
    struct life_facts life;
    enum status status =
        row_sort_open(&oracle->frees, FREE_NUMBERS, 2, material->temporary, why);
    if (status == STATUS_OK)
        status = life_cursor_open(&oracle->lives, material->stream, why);
    while (status == STATUS_OK) {
        status = life_cursor_next(oracle->lives, &life, why);
        if (status == STATUS_OK)
            status = interrupt_check(material->history->interrupt, why);
        if (status == STATUS_OK)
            status = add_free(oracle, &life, why);
    }
    life_cursor_close(oracle->lives);
    oracle->lives = NULL;
    return status == STATUS_END ? row_sort_finish(oracle->frees, why) : status;
}

/* Makes `next` of the next life, if it dies. */
static enum status take_death(struct oracle_events *oracle, struct failure *why)
{
    const uint64_t *thread = oracle->material->death_thread;
    struct life_facts life;
    enum status status = life_cursor_next(oracle->lives, &life, why);
    if (status != STATUS_OK)
        return status;
    fill_free(oracle->next, &life, life.survives ? MOMENT_OF_END : life.died.tick);
    if (thread)
        oracle->next[FREE_THREAD] = *thread;
    oracle->next_has_row = !life_is_prior(&life);
    return life.has_died ? STATUS_OK : STATUS_END;
}

static enum status take_next(struct oracle_events *oracle, struct failure *why)
{
    enum status status = oracle->lives ? take_death(oracle, why)
                                       : row_sort_next(oracle->frees, oracle->next, why);
    oracle->has_next = status == STATUS_OK;
    return status == STATUS_END ? STATUS_OK : status;
}

/* Frees what is freed up to `moment`: after as many records as it says or, if deaths free, as
 * `records`. */
static enum status put_frees(struct oracle_events *oracle, uint64_t moment, uint64_t records,
                             struct failure *why)
{
    const uint64_t *next = oracle->next;
    enum status status = STATUS_OK;
    while (oracle->has_next && next[FREE_MOMENT] <= moment && status == STATUS_OK) {
        uint64_t before = oracle->by == FREE_BY_LAST_USE ? next[FREE_MOMENT] : records;
        if (oracle->next_has_row)
            put_event(oracle->table, before + oracle->freed, "free", next);
        oracle->freed++;
        status = take_next(oracle, why);
    }
    return status;
}

static enum status put_allocation(struct oracle_events *oracle,
                                  const struct listed_event *event, struct failure *why)
{
    struct birth_facts birth;
    enum status status = birth_cursor_next(oracle->births, &birth, why);
    if (status != STATUS_OK)
        return status;
    const uint64_t row[FREE_NUMBERS] = {
        [FREE_OBJECT] = birth.object, [FREE_SIZE] = birth.size,     [FREE_SITE] = birth.site,
        [FREE_TYPE] = birth.type,     [FREE_THREAD] = birth.thread,
    };
    put_event(oracle->table, event->records + oracle->freed, "alloc", row);
    return STATUS_OK;
}

/* The row of a recorded death, which most objects have, has the thread of its record. */
static enum status put_recorded(struct oracle_events *oracle, const struct listed_event *event,
                                struct failure *why)
{
    uint64_t number = event->deaths + 1;
    if (!oracle->has_next || oracle->next[FREE_MOMENT] != number)
        return STATUS_OK;
    oracle->next[FREE_THREAD] = event->thread;
    return put_frees(oracle, number, event->records, why);
}

static enum status put_listed(struct oracle_events *oracle, const struct listed_event *event,
                              struct failure *why)
{
    enum status status = STATUS_OK;
    if (oracle->by == FREE_BY_RECORDED_DEATH)
        oracle->freed = event->deaths;
    switch (event->kind) {
    case EVENT_ALLOCATION:
        if (oracle->by == FREE_BY_LAST_USE)
            status = put_frees(oracle, event->records, 0, why);
        return status == STATUS_OK ? put_allocation(oracle, event, why) : status;
    case EVENT_BOUNDARY:
        if (oracle->by == FREE_BY_DEATH)
            status = put_frees(oracle, ++oracle->tick, event->records + 1, why);
        return status;
    case EVENT_DEATH:
        break;
    }
    return oracle->by == FREE_BY_RECORDED_DEATH ? put_recorded(oracle, event, why) : STATUS_OK;
}

static enum status put_events(struct oracle_events *oracle, struct failure *why)
{
    const struct event_list *list = oracle->material->events;
    struct listed_event event;
    enum status status = take_next(oracle, why);
    while (status == STATUS_OK) {
        status = event_cursor_next(oracle->events, &event, why);
        if (status == STATUS_OK)
            status = interrupt_check(oracle->material->history->interrupt, why);
        if (status == STATUS_OK)
            status = put_listed(oracle, &event, why);
        if (status == STATUS_OK)
            status = oracle->table->status;
    }
    return status == STATUS_END ? put_frees(oracle, UINT64_MAX, event_list_records(list), why)
                                : status;
}

static enum status open_streams(struct oracle_events *oracle, struct failure *why)
{
    const struct report_material *material = oracle->material;
    enum status status = event_cursor_open(&oracle->events, material->events, why);
    if (status == STATUS_OK)
        status = birth_cursor_open(&oracle->births, material->stream, why);
    if (status != STATUS_OK)
        return status;
    if (oracle->by != FREE_BY_DEATH)
        return sort_frees(oracle, why);
    return life_cursor_open(&oracle->lives, material->stream, why);
}

enum status oracle_events_finish(struct report *report, struct failure *why)
{
    const struct report_material *material = report->material;
    struct oracle_events oracle = {
        .material = material,
        .table = &report->table,
        .by = material->is_recorded ? FREE_BY_RECORDED_DEATH : FREE_BY_DEATH,
        .next_has_row = true,
    };
    if (material->settings->oracle_free == ORACLE_FREE_LAST_USE)
        oracle.by = FREE_BY_LAST_USE;
    enum status status = open_streams(&oracle, why);
    if (status == STATUS_OK)
        status = put_events(&oracle, why);
    event_cursor_close(oracle.events);
    birth_cursor_close(oracle.births);
    life_cursor_close(oracle.lives);
    row_sort_close(oracle.frees);
    return status;
}
