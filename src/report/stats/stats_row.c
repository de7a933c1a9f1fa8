/* SPDX-License-Identifier: MIT */
/* The statistics as one row of a table, so that many traces can be compared. Columns are
 * figures of the document, named by their paths there; figures without a value are empty. */
#include "report/report_settings.h"
#include "report/stats/stats.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The columns in the order of the document; then those that also a failed trace has. */
static const char stats_columns[] =
    "trace unfinished dialect deaths level threads assumptions_held_by "
    "assumptions_unallocated assumptions_at_end events_all allocated_objects allocated_bytes "
    "died_objects died_bytes alive_objects alive_bytes longest_tick_bytes before_objects "
    "before_bytes "
    "most_objects_objects most_bytes_bytes lifetime_ticks_median lifetime_ticks_mean "
    "lifetime_bytes_median "
    "lifetime_bytes_mean drag_ticks_median drag_ticks_mean phases_died_lag phases_died_use "
    "phases_died_drag phases_died_void phases_alive_lag phases_alive_use phases_alive_drag "
    "phases_alive_void gini_bytes gini_objects survival_1m_bytes_percent "
    "survival_4m_bytes_percent causes_use_bytes causes_update_bytes causes_frame_bytes "
    "causes_container_bytes causes_static_bytes causes_alive_static_bytes "
    "causes_alive_frame_bytes causes_alive_held_bytes causes_alive_used_bytes "
    "frames_outlived_0_bytes_percent threads_naming_several_bytes_percent "
    "death_sites_80_percent_methods population_AOA population_AOS population_AOM "
    "population_AOL population_mean_live_bytes population_smallest_heap_bytes population_GTO "
    "population_mark_cons_2x references_all_objects references_all_cleared_by_collector "
    "references_all_cleared_by_program version digest options status";

static const char version_column[] = " version ";

/* Puts what was read, how, and by which version, to show whether two rows can be compared. */
static void put_row_origin(struct table *table, const struct stats *stats, const char *options)
{
    char digest[17];
    snprintf(digest, sizeof digest, "%016" PRIx64, stats->digest);
    table_text(table, PACKAGE_VERSION);
    table_text(table, digest);
    table_text(table, options);
    table_text(table, "ok");
    table_end_row(table);
}

static void put_stats_row(struct print *print, struct table *table, const struct stats *stats)
{
    const struct trace_origin origin = stats_origin(stats);
    struct form *form = form_begin_row(print, table, stats_columns, false);
    if (!form)
        return;
    origin_put(form, &origin);
    stats_put_head(form, stats);
    assumptions_put(form, stats->assumptions);
    stats_put(form, stats);
    form_finish(form);
}

size_t stats_column_count(void)
{
    size_t count = 1;
    for (const char *at = stats_columns; *at; at++)
        count += *at == ' ';
    return count;
}

bool stats_is_header(const char *line, size_t length)
{
    size_t same = 0;
    while (same < length && stats_columns[same] != '\0' &&
           line[same] == (stats_columns[same] == ' ' ? '\t' : stats_columns[same]))
        same++;
    return same == length && stats_columns[same] == '\0';
}

enum status stats_put_failed_row(struct sink *sink, const char *trace, bool has_names,
                                 struct failure *why)
{
    struct table table;
    enum status status = table_begin(&table, sink, "", why);
    if (status != STATUS_OK)
        return status;
    if (!has_names) {
        table_names(&table, stats_columns);
        table_end_row(&table);
    }
    table_text(&table, trace);
    /* An empty field for each column after the first, up to the version; the last column is the
     * status. */
    const char *version = strstr(stats_columns, version_column) + strlen(version_column) - 1;
    for (const char *at = strchr(stats_columns, ' '); (at = strchr(at + 1, ' ')) != NULL;)
        table_text(&table, at == version ? PACKAGE_VERSION : "");
    table_text(&table, "failed");
    table_end_row(&table);
    return table_end(&table);
}

void stats_print_row(struct print *print, const struct stats *stats, bool with_names)
{
    struct table table;
    char *options = reading_text(stats->reading);
    print->status =
        options ? table_begin(&table, print->sink, "", print->why) : fail_memory(print->why);
    if (print->status == STATUS_OK) {
        if (with_names) {
            table_names(&table, stats_columns);
            table_end_row(&table);
        }
        put_stats_row(print, &table, stats);
        put_row_origin(&table, stats, options);
        enum status status = table_end(&table);
        if (print->status == STATUS_OK)
            print->status = status;
    }
    free(options);
}
