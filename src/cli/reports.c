/* One row a report says what it needs; the ledger is made once for all of them. */
#include "cli/reports.h"

#include "cli/output.h"
#include "cli/signals.h"
#include "cli/values.h"
#include "report/bounds.h"
#include "report/groups.h"
#include "report/lifetimes.h"
#include "report/live_table.h"
#include "report/reference_table.h"

#include <stdlib.h>

struct report_output {
    struct sink *sink; /* NULL: the report is not asked for, or committed */
    struct table table;
};

struct reports {
    const struct options *options;
    struct source *trace;
    struct report_output outputs[REPORT_COUNT];
    struct ledger *ledger;
    struct lifetimes lifetimes;
    struct merge_observer observer;
};

static bool wants(const struct reports *reports, enum report report)
{
    return reports->outputs[report].sink != NULL;
}

static enum status open_report(struct reports *reports, enum report report,
                               const struct source *trace, struct failure *why)
{
    const struct options *options = reports->options;
    const char *path = options->reports[report];
    struct report_output *output = &reports->outputs[report];
    struct sink_options how = {
        .force = options->force,
        .input = source_descriptor(trace),
        .compression.threads = options->compression.threads,
        .interrupt = signals_interrupt(),
    };
    enum status status = choose_compression(path, &how.compression, why);
    if (status == STATUS_OK)
        status = sink_open(&output->sink, path, &how, why);
    return status;
}

/* No two outputs may be one file. */
static enum status check_outputs(const struct options *options, struct failure *why)
{
    const char *paths[REPORT_COUNT + 1];
    struct output trace = {.path = NULL};
    enum status status = STATUS_OK;
    if (options_write_trace(options))
        status = output_find(&trace, options, options->trace, why);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < REPORT_COUNT; i++)
        paths[i] = options->reports[i];
    paths[REPORT_COUNT] = trace.path;
    status = output_check_files(paths, REPORT_COUNT + 1, why);
    free(trace.path);
    return status;
}

enum status reports_open(struct reports **out, const struct options *options,
                         struct source *trace, struct failure *why)
{
    *out = NULL;
    if (!options_want_reports(options))
        return STATUS_OK;
    struct reports *reports = calloc(1, sizeof *reports);
    if (!reports)
        return fail_memory(why);
    reports->options = options;
    reports->trace = trace;
    enum status status = check_outputs(options, why);
    for (unsigned i = 0; i < REPORT_COUNT && status == STATUS_OK; i++)
        if (options->reports[i])
            status = open_report(reports, (enum report)i, trace, why);
    if (status == STATUS_OK)
        *out = reports;
    else
        reports_close(reports);
    return status;
}

enum status reports_prepare(struct reports *reports, struct history *history,
                            struct failure *why)
{
    if (!reports)
        return STATUS_OK;
    const struct options *options = reports->options;
    enum status status = history_note_lives(history, options->no_deaths, why);
    if (status == STATUS_OK && wants(reports, REPORT_REFERENCES))
        status = history_note_references(history, options->source.spool_folder, why);
    return status;
}

static enum status begin_table(struct reports *reports, enum report report, struct failure *why)
{
    struct report_output *output = &reports->outputs[report];
    return table_begin(&output->table, output->sink, reports->options->reports[report], why);
}

/* The second reading comes to the next allocation. */
static enum status see_allocation(void *context, const struct record *record, uint64_t line,
                                  struct failure *why)
{
    struct reports *reports = context;
    struct table *table = reports->lifetimes.table;
    table->why = why;
    lifetimes_row(&reports->lifetimes, record, line);
    return table->status;
}

static enum status begin_lifetimes(struct reports *reports, const struct history *history,
                                   struct failure *why)
{
    enum status status = begin_table(reports, REPORT_LIFETIMES, why);
    if (status != STATUS_OK)
        return status;
    reports->lifetimes = (struct lifetimes){
        .table = &reports->outputs[REPORT_LIFETIMES].table,
        .ledger = reports->ledger,
        .has_threads = !history->explicit_time,
    };
    lifetimes_begin(&reports->lifetimes);
    reports->observer =
        (struct merge_observer){.allocated = see_allocation, .context = reports};
    return STATUS_OK;
}

enum status reports_begin(struct reports *reports, struct history *history,
                          const struct deaths *deaths, struct failure *why)
{
    if (!reports)
        return STATUS_OK;
    enum status status =
        deaths ? ledger_open(&reports->ledger, deaths, reports->options->at_end, why)
               : ledger_open_recorded(&reports->ledger, history, why);
    if (status == STATUS_OK && wants(reports, REPORT_LIFETIMES))
        status = begin_lifetimes(reports, history, why);
    return status;
}

const struct merge_observer *reports_observer(const struct reports *reports)
{
    return reports && reports->observer.allocated ? &reports->observer : NULL;
}

/* Writes all of a report that needs no second reading. */
static enum status write_report(struct reports *reports, enum report report,
                                struct failure *why)
{
    struct table *table = &reports->outputs[report].table;
    uint64_t points = reports->options->live_points;
    enum status status = begin_table(reports, report, why);
    if (status != STATUS_OK)
        return status;
    if (report == REPORT_REFERENCES)
        status = reference_table_write(table, reports->ledger, why);
    else if (report == REPORT_GROUPS)
        groups_write(table, reports->ledger);
    else if (report == REPORT_BOUNDS)
        status = bounds_write(table, reports->trace, reports->options->receiver_until, why);
    else if (points > 0)
        live_write_intervals(table, reports->ledger, points);
    else
        live_write(table, reports->ledger);
    enum status ended = table_end(table);
    return status == STATUS_OK ? ended : status;
}

enum status reports_finish(struct reports *reports, struct failure *why)
{
    static const enum report whole[] = {REPORT_GROUPS, REPORT_REFERENCES, REPORT_LIVE,
                                        REPORT_BOUNDS};
    if (!reports)
        return STATUS_OK;
    enum status status = STATUS_OK;
    if (wants(reports, REPORT_LIFETIMES)) {
        reports->lifetimes.table->why = why;
        status = table_end(reports->lifetimes.table);
    }
    for (size_t i = 0; i < sizeof whole / sizeof *whole && status == STATUS_OK; i++)
        if (wants(reports, whole[i]))
            status = write_report(reports, whole[i], why);
    for (unsigned i = 0; i < REPORT_COUNT && status == STATUS_OK; i++)
        if (wants(reports, (enum report)i))
            status = sink_finish(reports->outputs[i].sink, why);
    return status;
}

enum status reports_commit(struct reports *reports, struct failure *why)
{
    enum status status = STATUS_OK;
    for (unsigned i = 0; reports && i < REPORT_COUNT && status == STATUS_OK; i++) {
        struct sink *sink = reports->outputs[i].sink;
        reports->outputs[i].sink = NULL;
        if (sink)
            status = sink_commit(sink, why);
    }
    return status;
}

void reports_close(struct reports *reports)
{
    if (!reports)
        return;
    for (size_t i = 0; i < REPORT_COUNT; i++) {
        free(reports->outputs[i].table.buffer);
        sink_discard(reports->outputs[i].sink);
    }
    ledger_close(reports->ledger);
    free(reports);
}
