/* SPDX-License-Identifier: MIT */
/* What oracles of all forms have in common. Events are listed while the trace is read, so the
 * state is made when the first records come, or in `begin` if there are none. */
#include "report/oracle/oracle.h"

#include "report/report_table.h"

#include <stdlib.h>

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
    enum status status = oracle_open(report, &oracle, why);
    if (status == STATUS_OK)
        status = open_events(oracle, why);
    return status == STATUS_OK ? event_list_add(oracle->events, batch, why) : status;
}

enum status oracle_start_events(struct oracle *oracle, struct failure *why)
{
    enum status status = open_events(oracle, why); /* since the trace may be empty */
    if (status == STATUS_OK)
        status = event_list_finish(oracle->events, why);
    return status == STATUS_OK ? event_cursor_open(&oracle->next_event, oracle->events, why)
                               : status;
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
