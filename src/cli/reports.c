/* One row a report says what it needs; the ledger is made once for all of them. */
#include "cli/reports.h"

#include "cli/output.h"
#include "cli/signals.h"
#include "cli/values.h"
#include "formats/name_lists.h"
#include "report/bounds.h"
#include "report/groups.h"
#include "report/lifetimes.h"
#include "report/live_table.h"
#include "report/oracle.h"
#include "report/reference_table.h"
#include "report/stats_print.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct report_output {
    struct sink *sink; /* NULL: the report is not asked for, or committed */
    struct table table;
};

struct reports {
    const struct options *options;
    struct source *source;
    struct report_output outputs[REPORT_COUNT];
    struct ledger *ledger;
    struct lifetimes lifetimes;
    struct oracle oracle;
    struct assumptions assumptions;
    struct stats stats;
    struct names *names;           /* of lists; NULL: no report wants them */
    const struct names *own_names; /* of the trace; NULL: it has none */
    const char *trace;             /* its name */
    struct line_map lines;         /* of the trace without its deaths, for the oracle */
    struct merge_observer observer;
};

static bool wants(const struct reports *reports, enum report report)
{
    return reports->outputs[report].sink != NULL;
}

/* A report must not take the place of the trace. */
static enum status protect_trace(const struct source *trace, const char *path,
                                 struct failure *why)
{
    struct stat input, output;
    if (strcmp(path, "-") == 0 || fstat(source_descriptor(trace), &input) != 0 ||
        stat(path, &output) != 0 || !S_ISREG(output.st_mode) || output.st_dev != input.st_dev ||
        output.st_ino != input.st_ino)
        return STATUS_OK;
    return fail_at(why, STATUS_MEANING, path, 0,
                   "This is the trace: the report would take its place");
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
    enum status status = protect_trace(trace, path, why);
    if (status == STATUS_OK)
        status = choose_compression(path, &how.compression, why);
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

/* Reads the name lists that are asked for or, if none are, those beside a trace in a file. */
static enum status read_names(struct reports *reports, struct failure *why)
{
    const struct options *options = reports->options;
    bool is_file = options->trace && strcmp(options->trace, "-") != 0;
    if (!options->reports[REPORT_LIFETIMES] && !options->reports[REPORT_STATS])
        return STATUS_OK;
    enum status status = names_new(&reports->names, why);
    if (status != STATUS_OK)
        return status;
    if (options->names)
        return name_lists_read(reports->names, options->names, signals_interrupt(), why);
    if (!is_file)
        return STATUS_OK;
    return name_lists_read_beside(reports->names, options->trace, signals_interrupt(), why);
}

void reports_take_names(struct reports *reports, const struct names *names)
{
    if (reports)
        reports->own_names = names;
}

/* The names to be shown: those that are asked for come before those that the trace has. */
static const struct names *shown_names(const struct reports *reports)
{
    return reports->own_names && !reports->options->names ? reports->own_names : reports->names;
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
    reports->trace = source_name(trace);
    reports->source = trace;
    enum status status = check_outputs(options, why);
    if (status == STATUS_OK)
        status = read_names(reports, why);
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

enum status reports_read(struct reports *reports, const struct batch *batch,
                         struct failure *why)
{
    enum status status = STATUS_OK;
    if (!reports || !wants(reports, REPORT_ORACLE))
        return STATUS_OK;
    for (size_t i = 0; i < batch->count && status == STATUS_OK; i++)
        if (batch->records[i].kind != RECORD_DEATH)
            status =
                line_map_add(&reports->lines, batch->first_line + batch->records[i].line, why);
    return status;
}

static enum status begin_table(struct reports *reports, enum report report, struct failure *why)
{
    struct report_output *output = &reports->outputs[report];
    return table_begin(&output->table, output->sink, reports->options->reports[report], why);
}

/* The second reading comes to the next allocation. */
static enum status see_allocation(void *context, const struct record *record, uint64_t line,
                                  uint64_t event, struct failure *why)
{
    struct reports *reports = context;
    enum status status = STATUS_OK;
    if (wants(reports, REPORT_LIFETIMES)) {
        struct table *table = reports->lifetimes.table;
        table->why = why;
        lifetimes_row(&reports->lifetimes, record, line);
        status = table->status;
    }
    if (status == STATUS_OK && wants(reports, REPORT_STATS))
        status = stats_add(&reports->stats, record, why);
    if (status == STATUS_OK && wants(reports, REPORT_ORACLE))
        status = oracle_allocated(&reports->oracle, record, event, why);
    return status;
}

/* ... to the next death. */
static enum status see_death(void *context, const struct record *death, node_t node,
                             uint64_t event, struct failure *why)
{
    struct reports *reports = context;
    return oracle_died(&reports->oracle, death, node, event, why);
}

static enum status begin_lifetimes(struct reports *reports, const struct history *history,
                                   struct failure *why)
{
    const struct names *names = shown_names(reports);
    bool has_names = reports->options->names || (names && names_exist(names));
    enum status status = begin_table(reports, REPORT_LIFETIMES, why);
    if (status != STATUS_OK)
        return status;
    reports->lifetimes = (struct lifetimes){
        .table = &reports->outputs[REPORT_LIFETIMES].table,
        .ledger = reports->ledger,
        .names = has_names ? names : NULL,
        .has_threads = !history->explicit_time,
    };
    lifetimes_begin(&reports->lifetimes);
    return STATUS_OK;
}

/* Ids that repeat would be objects that die twice. */
static enum status check_ids(const struct reports *reports, const struct history *history,
                             const node_t *ids, struct failure *why)
{
    uint64_t repeated = history->counts.repeated;
    if (repeated == 0 || ids)
        return STATUS_OK;
    return fail_at(
        why, STATUS_MEANING, reports->trace, 0,
        "%" PRIu64 " allocation%s an id that is allocated already, and --oracle could "
        "not tell their objects apart; --renumber gives each an id of its own%s",
        repeated, repeated == 1 ? " repeats" : "s repeat",
        reports->options->no_deaths ? ", with --replace-deaths instead of --no-deaths" : "");
}

static enum status begin_oracle(struct reports *reports, struct history *history,
                                const node_t *ids, struct failure *why)
{
    struct table *table = &reports->outputs[REPORT_ORACLE].table;
    enum status status = check_ids(reports, history, ids, why);
    if (status == STATUS_OK)
        status = begin_table(reports, REPORT_ORACLE, why);
    if (status != STATUS_OK)
        return status;
    table->separator = ',';
    reports->oracle =
        (struct oracle){.table = table, .ledger = reports->ledger, .history = history};
    return oracle_begin(&reports->oracle, why);
}

static enum status begin_stats(struct reports *reports, const struct history *history,
                               struct failure *why)
{
    const struct options *options = reports->options;
    reports->assumptions =
        (struct assumptions){options->held_by, options->unallocated, options->at_end};
    enum status status =
        stats_init(&reports->stats, reports->trace, history, reports->ledger, why);
    if (!options->no_deaths)
        reports->stats.assumptions = &reports->assumptions;
    return status;
}

/* Has the second reading watched, as far as the reports need it. */
static void begin_to_observe(struct reports *reports)
{
    bool wants_events = wants(reports, REPORT_ORACLE);
    if (!wants_events && !wants(reports, REPORT_LIFETIMES) && !wants(reports, REPORT_STATS))
        return;
    reports->observer = (struct merge_observer){
        .allocated = see_allocation,
        .died = wants_events ? see_death : NULL,
        .context = reports,
        .wants_events = wants_events,
        .lines = &reports->lines,
    };
}

enum status reports_begin(struct reports *reports, struct history *history,
                          const struct deaths *deaths, const node_t *ids, struct failure *why)
{
    if (!reports)
        return STATUS_OK;
    enum status status =
        deaths ? ledger_open(&reports->ledger, deaths, reports->options->at_end, why)
               : ledger_open_recorded(&reports->ledger, history, why);
    if (status != STATUS_OK)
        return status;
    ledger_set_ids(reports->ledger, ids);
    if (wants(reports, REPORT_LIFETIMES))
        status = begin_lifetimes(reports, history, why);
    if (status == STATUS_OK && wants(reports, REPORT_STATS))
        status = begin_stats(reports, history, why);
    if (status == STATUS_OK && wants(reports, REPORT_ORACLE))
        status = begin_oracle(reports, history, ids, why);
    begin_to_observe(reports);
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
        status = bounds_write(table, reports->source, reports->options->receiver_until, why);
    else if (points > 0)
        live_write_intervals(table, reports->ledger, points);
    else
        live_write(table, reports->ledger);
    enum status ended = table_end(table);
    return status == STATUS_OK ? ended : status;
}

static enum status write_stats(struct reports *reports, struct failure *why)
{
    const struct options *options = reports->options;
    struct print print = {.sink = reports->outputs[REPORT_STATS].sink, .why = why};
    size_t top = options->top < SIZE_MAX ? (size_t)options->top : SIZE_MAX;
    if (options->stats_format == FORMAT_JSON)
        stats_print_json(&print, &reports->stats, shown_names(reports), top);
    else
        stats_print_text(&print, &reports->stats, shown_names(reports), top);
    return print.status;
}

enum status reports_finish(struct reports *reports, struct failure *why)
{
    static const enum report streamed[] = {REPORT_LIFETIMES, REPORT_ORACLE};
    static const enum report whole[] = {REPORT_GROUPS, REPORT_REFERENCES, REPORT_LIVE,
                                        REPORT_BOUNDS};
    if (!reports)
        return STATUS_OK;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < sizeof streamed / sizeof *streamed && status == STATUS_OK; i++) {
        struct table *table = &reports->outputs[streamed[i]].table;
        table->why = why;
        if (wants(reports, streamed[i]))
            status = table_end(table);
    }
    if (status == STATUS_OK && wants(reports, REPORT_STATS))
        status = write_stats(reports, why);
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
    line_map_free(&reports->lines);
    oracle_free(&reports->oracle);
    stats_free(&reports->stats);
    names_free(reports->names);
    ledger_close(reports->ledger);
    free(reports);
}
