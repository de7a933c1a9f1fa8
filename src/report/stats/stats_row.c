/* SPDX-License-Identifier: MIT */
/* The statistics as one row of a table, so that many traces can be set side by side: the
 * figures of stats_print.c that are of the trace as a whole. What there is not is empty. */
#include "report/reading.h"
#include "report/stats/population_print.h"
#include "report/stats/stats_print.h"
#include "report/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MIB (UINT64_C(1) << 20)

static const char stats_columns[] =
    "trace dialect deaths held_by unallocated at_end events threads objects bytes died_objects "
    "died_bytes immortal_objects immortal_bytes before_objects before_bytes peak_objects "
    "peak_bytes mean_lifetime "
    "median_lifetime mean_lifetime_bytes median_lifetime_bytes mean_drag median_drag died_lag "
    "died_use died_drag died_void immortal_lag immortal_use immortal_drag immortal_void "
    "gini_bytes gini_objects AOA AOS AOM AOL mean_live_bytes smallest_heap_bytes GTO "
    "mark_cons_2x survival_1m_percent survival_4m_percent "
    "stack_bytes_percent shared_bytes_percent death_methods_80 "
    "use_bytes update_bytes frame_bytes container_bytes static_bytes alive_static_bytes "
    "alive_frame_bytes alive_held_bytes alive_used_bytes "
    "version digest options unfinished status";

/* A trace that failed has it, too. */
static const char version_column[] = " version ";

static void put_row_head(struct table *table, const struct stats *stats)
{
    const struct assumptions *assumptions = stats->assumptions;
    table_text(table, stats->name);
    table_text(table, stats->history->explicit_time ? "time" : "thread");
    table_text(table, assumptions ? "computed" : "recorded");
    value_put(table, value_text(assumptions ? assumptions_held_by(assumptions) : NULL));
    value_put(table, value_text(assumptions ? assumptions_unallocated(assumptions) : NULL));
    value_put(table, value_text(assumptions ? assumptions_at_end(assumptions) : NULL));
}

static void put_row_amount(struct table *table, const struct stats_amount *amount)
{
    table_number(table, amount->objects);
    table_number(table, amount->bytes);
}

static void put_row_counts(struct table *table, const struct stats *stats)
{
    struct stats_amount all = stats_allocated(stats), prior = stats_prior(stats);
    uint64_t events = 0;
    for (size_t i = 0; i < record_layout_count; i++)
        events += stats_events(stats, record_layouts[i].kind);
    table_number(table, events);
    value_put(table, value_number_if(!stats->history->explicit_time,
                                     frames_thread_count(stats->history->heap.frames)));
    put_row_amount(table, &all);
    put_row_amount(table, &stats->died);
    put_row_amount(table, &stats->alive);
    put_row_amount(table, &prior);
    table_number(table, stats->sums->peaks.most_objects.objects);
    table_number(table, stats->sums->peaks.most_bytes.size);
}

/* The mean and the median. */
static void put_row_middle(struct table *table, const struct distribution *distribution)
{
    value_put(table, value_distribution_mean(distribution));
    value_put(table, value_number_if(distribution->count > 0, distribution->median));
}

static void put_row_phases(struct table *table, const struct stats_phases *phases)
{
    const wide_sum sums[] = {phases->lag, phases->use, phases->drag, phases->voids};
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
        value_put(table, value_number(sums[i]));
}

/* What is known of uses: of lifetimes alone nothing. */
static void put_row_uses(struct table *table, const struct stats *stats)
{
    enum { COLUMNS = 2 + 2 * 4 };
    if (stats_has_uses(stats)) {
        put_row_middle(table, &stats->drag);
        put_row_phases(table, &stats->phases[0]);
        put_row_phases(table, &stats->phases[1]);
        return;
    }
    for (int i = 0; i < COLUMNS; i++)
        table_empty(table);
}

/* The percentages of bytes that could be on the stack, and that threads share, and the methods
 * in which 80% of what dies does. */
static void put_row_deaths(struct table *table, const struct stats *stats)
{
    uint64_t all = stats_allocated(stats).bytes, methods = stats->shares[1].methods;
    value_put(table, value_share(stats->outlived[OUTLIVED_0].bytes, all));
    value_put(table, stats->history->explicit_time
                         ? NO_VALUE
                         : value_share(stats->sharing[true].bytes, all));
    value_put(table, value_number_if(methods > 0, methods));
}

/* The percentage of bytes that are alive when `limit` bytes have been allocated after them. */
static void put_row_survival(struct table *table, const struct stats *stats, uint64_t limit)
{
    const struct stats_survival *survival = stats->survivals;
    while (survival->limit != limit)
        survival++;
    value_put(table, value_share(survival->survived.bytes, survival->eligible.bytes));
}

/* In the order of enum cause. */
static void put_row_causes(struct table *table, const struct stats *stats)
{
    for (unsigned cause = 0; cause < CAUSE_COUNT; cause++)
        value_put(table, value_number_if(stats->assumptions, stats->causes[cause].bytes));
}

/* What was read, and by what: whether two rows are of the same. */
static void put_row_origin(struct table *table, const struct stats *stats, const char *options)
{
    char digest[17];
    snprintf(digest, sizeof digest, "%016" PRIx64, stats->digest);
    table_text(table, PACKAGE_VERSION);
    table_text(table, digest);
    table_text(table, options);
}

static void put_stats_row(struct table *table, const struct stats *stats, const char *options)
{
    put_row_head(table, stats);
    put_row_counts(table, stats);
    put_row_middle(table, &stats->ticks);
    put_row_middle(table, &stats->bytes);
    put_row_uses(table, stats);
    value_put(table, value_gini(&stats->sums->all.by_bytes));
    value_put(table, value_gini(&stats->sums->all.by_objects));
    population_put_columns(table, &stats->population);
    put_row_survival(table, stats, MIB);
    put_row_survival(table, stats, 4 * MIB);
    put_row_deaths(table, stats);
    put_row_causes(table, stats);
    put_row_origin(table, stats, options);
    value_put(table, value_text(stats->unfinished));
    table_text(table, "ok");
    table_end_row(table);
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
    /* For each column after the first, which ends here; the last one is the status. */
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
    if (print->status != STATUS_OK) {
        free(options);
        return;
    }
    if (with_names) {
        table_names(&table, stats_columns);
        table_end_row(&table);
    }
    put_stats_row(&table, stats, options);
    print->status = table_end(&table);
    free(options);
}
