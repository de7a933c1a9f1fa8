/* SPDX-License-Identifier: MIT */
/* A line for each context, of allocation or of death, and type: the methods, the outermost
 * first, and the type, with ";" between them, then a blank and a number. Programs that draw
 * flame graphs split lines at each ";", so a ";" in a name, as in descriptors, becomes a ",".
 */
#include "report/report_table.h"

#include "report/lives/shown_name.h"
#include "report/lives/site_sums.h"
#include "report/print.h"

#include <stdlib.h>
#include <string.h>

static wide_sum weight_of(const struct tally *tally, const struct dispersion *dispersion,
                          enum folded_weight weight)
{
    switch (weight) {
    case FOLDED_OBJECTS:
        return tally->objects;
    case FOLDED_LIVE:
        return tally->live;
    case FOLDED_LIFETIME:
        return dispersion->by_bytes.sum;
    case FOLDED_DRAG:
        return tally->drag;
    default:
        return tally->bytes;
    }
}

/* Prints a name that was made; false: there was no memory for it. */
static bool print_frame(struct print *print, struct shown_name *name, const char *made)
{
    if (!made)
        return false;
    for (char *at = name->text; (at = strchr(at, ';'));)
        *at = ',';
    print_shown(print, name->text);
    return true;
}

/* Whether the line of the tally is known; that of a death never is. */
static bool has_line_of(const struct tally *tally, uint64_t method, const struct report *report)
{
    return report->material->settings->folded_by == CONTEXTS_BY_ALLOCATION &&
           !tally->has_sites && site_has_line(report->material->names, tally->site, method);
}

static bool print_methods(struct print *print, const struct report *report,
                          struct shown_name *name, const struct tally *tally)
{
    const struct site_sums *sums = report->sums;
    const struct names *names = report->material->names;
    uint64_t methods[CONTEXT_DEPTH_MAX];
    size_t count = contexts_methods(sums->contexts, tally->context, methods);
    if (count == 0)
        print_text(print, tally->is_alive ? "(alive);" : "(none);");
    while (count-- > 0) {
        bool has_line = count == 0 && has_line_of(tally, methods[0], report);
        const char *made = has_line ? shown_name_of_line(name, tally->site, names)
                                    : shown_name_of_method(name, methods[count], names);
        if (!print_frame(print, name, made))
            return false;
        print_text(print, ";");
    }
    return true;
}

static enum status print_stack(struct print *print, const struct report *report,
                               struct shown_name *name, const struct site_tallies *rows,
                               size_t row)
{
    const struct tally *tally = &rows->tallies.items[row];
    const struct names *names = report->material->names;
    wide_sum weight =
        weight_of(tally, &rows->dispersions[row], report->material->settings->folded_weight);
    char digits[WIDE_SIZE];
    if (weight == 0)
        return STATUS_OK;
    if (!print_methods(print, report, name, tally) ||
        !print_frame(print, name, shown_name_of_type(name, tally->type, names)))
        return fail_memory(print->why);
    print_text(print, " %s\n", figures_format_wide(digits, weight));
    return print->status;
}

static enum status folded_finish(struct report *report, struct failure *why)
{
    const struct site_sums *sums = report->sums;
    struct print print = {.sink = report->sink, .why = why};
    struct shown_name name = {.text = NULL};
    if (report->material->settings->folded_weight == FOLDED_DRAG && !sums->has_uses &&
        sums->allocated > 0)
        return fail_at(why, STATUS_MEANING, report->material->trace, 0,
                       "The trace records no uses of objects, so there is no drag: choose "
                       "another --folded-weight");
    const struct site_tallies *rows = report->material->settings->folded_by == CONTEXTS_BY_DEATH
                                          ? &sums->by_death
                                          : &sums->by_context;
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < rows->tallies.count; i++)
        status = print_stack(&print, report, &name, rows, i);
    free(name.text);
    return status;
}

/* The report of --folded: by context of the allocation, or of the death. */
const struct report_class folded_report = {.shows_names = true,
                                           .sums = SUMS_OF_ALLOCATIONS,
                                           .of = OF_MOMENTS_GIVEN,
                                           .finish = folded_finish};
const struct report_class folded_deaths_report = {.shows_names = true,
                                                  .of_computed = true,
                                                  .sums = SUMS_OF_PAIRS,
                                                  .of = OF_MOMENTS_GIVEN,
                                                  .finish = folded_finish};
