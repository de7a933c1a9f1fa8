/* SPDX-License-Identifier: MIT */
/* Statistics as a report: they are gathered from births and lives, and printed at the end in
 * the form that is asked for. */
#include "report/report_table.h"

#include "report/stats/stats_print.h"

#include <stdlib.h>

static enum status stats_begin(struct report *report, struct failure *why)
{
    struct stats *stats = report->state = calloc(1, sizeof *stats);
    return stats ? stats_init(stats, report, why) : fail_memory(why);
}

static enum status stats_add_life(struct report *report, const struct life_facts *life,
                                  struct failure *why)
{
    return stats_add(report->state, life, why);
}

static enum status stats_finish(struct report *report, struct failure *why)
{
    const struct report_settings *settings = report->material->settings;
    const struct names *names = report->material->names;
    struct print print = {.sink = report->sink, .why = why};
    struct ranking_choice choice = {
        .min_count = settings->min_count,
        .top = settings->top < SIZE_MAX ? (size_t)settings->top : SIZE_MAX,
    };
    enum status status = stats_complete(report->state, why);
    if (status != STATUS_OK)
        return status;
    if (settings->stats_format == FORMAT_TEXT && settings->stats_is_brief)
        stats_print_briefly(&print, report->state, names);
    else if (settings->stats_format == FORMAT_TSV)
        stats_print_row(&print, report->state, !settings->no_header);
    else
        stats_print(&print, settings->stats_format, report->state, names, &choice);
    return print.status;
}

static void stats_release(struct report *report)
{
    if (report->state)
        stats_free(report->state);
    free(report->state);
}

const struct report_class stats_report = {.wants = WANT_FIRST_USES | WANT_SITES,
                                          .shows_names = true,
                                          .sums = SUMS_OF_PAIRS,
                                          .begin = stats_begin,
                                          .life = stats_add_life,
                                          .finish = stats_finish,
                                          .release = stats_release};
