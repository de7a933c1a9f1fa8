/* SPDX-License-Identifier: MIT */
/* The second reading shows deaths in the order in which lives are stored, so what the row of a
 * death repeats of the allocation is read beside it. Where objects are freed after their last
 * use, late_rows.h puts these in order first. */
#include "report/lives/oracle_events.h"

#include "report/lives/late_rows.h"
#include "report/lives/oracle.h"

#include <stdlib.h>

/* The row of a last use, whose place is the number of its record. */
enum { USE_OBJECT = LATE_FIRST, USE_SIZE, USE_SITE, USE_THREAD, USE_TYPE, USE_END };
_Static_assert((int)USE_END <= (int)LATE_ROW_MAX, "rows have room");

struct oracle_events {
    const struct history *history;
    struct life_cursor *cursor; /* at what dies next; NULL: last uses free */
    /* Of last uses: */
    struct late_rows *uses;
    bool is_ordered; /* all last uses have been told */
    bool has_next;
    uint64_t next[LATE_ROW_MAX];
    uint64_t frees;  /* rows of them so far */
    uint64_t deaths; /* that came by, and get no row */
};

static enum status oracle_events_new(struct report *report, struct failure *why)
{
    enum status status = oracle_events_begin(report, why);
    if (status != STATUS_OK)
        return status;
    struct oracle_events *oracle = report->state = calloc(1, sizeof *oracle);
    if (!oracle)
        return fail_memory(why);
    oracle->history = report->material->history;
    return STATUS_OK;
}

enum status oracle_stored_begin_deaths(struct report *report, struct failure *why)
{
    enum status status = oracle_events_new(report, why);
    if (status != STATUS_OK)
        return status;
    struct oracle_events *oracle = report->state;
    return life_cursor_open(&oracle->cursor, report->material->stored, why);
}

enum status oracle_stored_allocated(struct report *report, const struct record *record,
                                    uint64_t line, uint64_t event, struct failure *why)
{
    const struct oracle_events *oracle = report->state;
    const struct origin origin = {record->type, record->site};
    uint64_t thread = oracle->history->explicit_time ? 0 : record->thread;
    (void)line, (void)why;
    oracle_put_event(&report->table, event, "alloc", record->object, record->size, thread,
                     &origin);
    return STATUS_OK;
}

enum status oracle_stored_died(struct report *report, const struct record *death, node_t node,
                               uint64_t event, struct failure *why)
{
    struct oracle_events *oracle = report->state;
    struct life_facts life;
    (void)node;
    enum status status = life_cursor_next(oracle->cursor, &life, why);
    if (status != STATUS_OK)
        return status == STATUS_END ? STATUS_OK : status;
    const struct origin origin = {life.type, life.site};
    oracle_put_event(&report->table, event, "free", death->object, life.size,
                     death->death_thread, &origin);
    return STATUS_OK;
}

enum status oracle_stored_begin_uses(struct report *report, struct failure *why)
{
    enum status status = oracle_events_new(report, why);
    if (status != STATUS_OK)
        return status;
    struct oracle_events *oracle = report->state;
    return late_rows_open(&oracle->uses, USE_END, report->material->place, why);
}

enum status oracle_stored_use_ended(struct report *report, const struct life_facts *life,
                                    struct failure *why)
{
    const struct oracle_events *oracle = report->state;
    const uint64_t row[LATE_ROW_MAX] = {
        [LATE_PLACE] = life->use_count, [LATE_ORDER] = life->allocation,
        [LATE_KNOWN] = life->found,     [USE_OBJECT] = life->object,
        [USE_SIZE] = life->size,        [USE_SITE] = life->site,
        [USE_THREAD] = life->thread,    [USE_TYPE] = life->type,
    };
    return life->use_count == USE_PLACE_END ? STATUS_OK : late_rows_add(oracle->uses, row, why);
}

static enum status next_free(struct oracle_events *oracle, struct failure *why)
{
    enum status status = STATUS_OK;
    if (!oracle->is_ordered)
        status = late_rows_finish(oracle->uses, why);
    oracle->is_ordered = true;
    if (status == STATUS_OK)
        status = late_rows_next(oracle->uses, oracle->next, why);
    oracle->has_next = status == STATUS_OK;
    return status == STATUS_END ? STATUS_OK : status;
}

/* Frees what was used for the last time in the first `records` records. */
static enum status put_stored_frees(struct report *report, uint64_t records,
                                    struct failure *why)
{
    struct oracle_events *oracle = report->state;
    const uint64_t *row = oracle->next;
    enum status status = oracle->is_ordered ? STATUS_OK : next_free(oracle, why);
    while (status == STATUS_OK && oracle->has_next && row[LATE_PLACE] <= records) {
        const struct origin origin = {row[USE_TYPE], row[USE_SITE]};
        oracle_put_event(&report->table, row[LATE_PLACE] + oracle->frees++, "free",
                         row[USE_OBJECT], row[USE_SIZE], row[USE_THREAD], &origin);
        status = next_free(oracle, why);
    }
    return status;
}

/* Frees count as records of the trace, in place of deaths. */
enum status oracle_stored_use_allocated(struct report *report, const struct record *record,
                                        uint64_t line, uint64_t event, struct failure *why)
{
    struct oracle_events *oracle = report->state;
    uint64_t records = event - oracle->deaths;
    enum status status = put_stored_frees(report, records, why);
    if (status != STATUS_OK)
        return status;
    return oracle_stored_allocated(report, record, line, records + oracle->frees, why);
}

enum status oracle_stored_use_died(struct report *report, const struct record *death,
                                   node_t node, uint64_t event, struct failure *why)
{
    struct oracle_events *oracle = report->state;
    (void)death, (void)node, (void)event, (void)why;
    oracle->deaths++;
    return STATUS_OK;
}

enum status oracle_stored_use_finish(struct report *report, struct failure *why)
{
    const struct oracle_events *oracle = report->state;
    return put_stored_frees(report, oracle->history->record, why);
}

void oracle_events_release(struct report *report)
{
    struct oracle_events *oracle = report->state;
    if (!oracle)
        return;
    life_cursor_close(oracle->cursor);
    late_rows_close(oracle->uses);
    free(oracle);
}
