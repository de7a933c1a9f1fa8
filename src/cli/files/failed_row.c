/* SPDX-License-Identifier: MIT */
/* Rows of many traces that were run one by one are joined afterwards. A trace without a row
 * would be missing there, and nobody would see it. */
#include "cli/files/failed_row.h"

#include "cli/files/old_rows.h"
#include "cli/options/values.h"
#include "cli/process/ending.h"
#include "cli/process/signals.h"
#include "io/sink.h"
#include "report/stats/stats_print.h"

#include <sys/stat.h>

/* Whether the row can be in `path`: nothing is there, or a table that is to be replaced. */
static bool is_free(const struct options *options, const char *path)
{
    struct stat facts;
    struct failure forgotten = {.status = STATUS_OK};
    struct old_rows *rows = NULL;
    if (lstat(path, &facts) != 0)
        return true;
    bool is_table =
        options->force &&
        old_rows_read(&rows, path, !options->report.no_header, &forgotten) == STATUS_OK && rows;
    old_rows_free(rows);
    failure_clear(&forgotten);
    return is_table;
}

static enum status write_row(const struct options *options, const char *path,
                             struct failure *why)
{
    const char *trace = old_rows_trace_name(options->trace ? options->trace : "-");
    struct sink *sink;
    struct sink_options how = {
        .force = options->force,
        .input = -1,
        .interrupt = signals_interrupt(),
        .list = ending_sinks(),
    };
    enum status status = choose_compression(path, false, &how.compression, why);
    if (status == STATUS_OK)
        status = sink_open(&sink, path, &how, why);
    if (status != STATUS_OK)
        return status;
    status = stats_put_failed_row(sink, trace, options->report.no_header, why);
    if (status == STATUS_OK)
        return sink_commit(sink, why);
    sink_discard(sink);
    return status;
}

void failed_row_leave(const struct options *options, enum status status)
{
    const char *path = options->reports[REPORT_STATS];
    struct failure forgotten = {.status = STATUS_OK};
    if (is_standard_stream(path) || options->report.stats_format != FORMAT_TSV ||
        status == STATUS_INTERRUPTED || !is_free(options, path))
        return;
    if (write_row(options, path, &forgotten) != STATUS_OK)
        failure_clear(&forgotten);
}
