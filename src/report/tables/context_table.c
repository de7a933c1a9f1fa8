/* SPDX-License-Identifier: MIT */
/* The table of --contexts: a row for each context and type, in the order of the first
 * allocations there or, with contexts of deaths, of the first deaths. It is written after all
 * lives have been added. */
#include "report/report.h"

#include "report/form/value.h"
#include "report/lives/shown_name.h"
#include "report/lives/site_sums.h"

#include <stdlib.h>

static enum contexts_by by_of(const struct report *report)
{
    return report->material->settings->contexts_by;
}

static enum status contexts_begin(struct report *report, struct failure *why)
{
    static const char *const sums[] = {
        [CONTEXTS_BY_ALLOCATION] = "context type frames",
        [CONTEXTS_BY_DEATH] = "death_context type death_frames",
        [CONTEXTS_BY_BOTH] = "context type frames death_context death_frames",
    };
    (void)why; /* the table reports it */
    table_names(&report->table, sums[by_of(report)]);
    table_names(&report->table,
                "objects bytes died mean_lifetime median_lifetime drag live_at_peak "
                "immortal_objects immortal_bytes immortal_drag gini_bytes gini_objects");
    if (report->material->names)
        table_names(&report->table, "type_name");
    table_end_row(&report->table);
    return STATUS_OK;
}

/* Puts a name that was made (NULL: there was no memory); returns whether there was memory. */
static bool put_name(struct table *table, const char *made)
{
    if (made)
        table_text(table, made);
    return made;
}

static bool put_contexts(struct report *report, const struct tally *tally,
                         struct shown_name *name)
{
    const struct contexts *contexts = report->sums->contexts;
    const struct names *names = report->material->names;
    struct table *table = &report->table;
    enum contexts_by by = by_of(report);
    value_put(table,
              value_number_if(by != CONTEXTS_BY_DEATH || !tally->is_alive, tally->context));
    table_number(table, tally->type);
    if (by == CONTEXTS_BY_DEATH)
        return put_name(
            table, shown_name_of_death(name, contexts, tally->is_alive, tally->context, names));
    if (!put_name(table, shown_name_of_allocations(name, contexts, tally, names)))
        return false;
    if (by == CONTEXTS_BY_ALLOCATION)
        return true;
    value_put(table, value_number_if(!tally->is_alive, tally->death_context));
    return put_name(table, shown_name_of_death(name, contexts, tally->is_alive,
                                               tally->death_context, names));
}

static enum status put_row(struct report *report, const struct tally *tally,
                           const struct dispersion *dispersion, struct shown_name *name,
                           struct failure *why)
{
    struct table *table = &report->table;
    const struct names *names = report->material->names;
    bool has_uses = report->sums->has_uses;
    if (!put_contexts(report, tally, name))
        return fail_memory(why);
    table_number(table, tally->objects);
    table_number(table, tally->bytes);
    table_number(table, tally->deaths);
    value_put(table, value_mean(tally->lifetime, tally->deaths));
    value_put(table, value_number_if(tally->deaths > 0, dispersion->median));
    value_put(table, value_number_if(has_uses, tally->drag));
    table_number(table, tally->live);
    table_number(table, tally->immortals);
    table_number(table, tally->immortal_bytes);
    value_put(table, value_number_if(has_uses, tally->immortal_drag));
    value_put(table, value_gini(&dispersion->by_bytes));
    value_put(table, value_gini(&dispersion->by_objects));
    if (names) {
        const char *type = names_find(names, NAMES_TYPE, tally->type);
        value_put(table, type ? value_text(type) : value_number(tally->type));
    }
    table_end_row(table);
    return STATUS_OK;
}

static enum status contexts_finish(struct report *report, struct failure *why)
{
    const struct site_sums *sums = report->sums;
    const struct site_tallies *const all[] = {
        [CONTEXTS_BY_ALLOCATION] = &sums->by_context,
        [CONTEXTS_BY_DEATH] = &sums->by_death,
        [CONTEXTS_BY_BOTH] = &sums->by_pair,
    };
    const struct site_tallies *rows = all[by_of(report)];
    struct shown_name name = {.text = NULL};
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < rows->tallies.count; i++)
        if (rows->tallies.items[i].objects > 0) /* alive at the moment */
            status =
                put_row(report, &rows->tallies.items[i], &rows->dispersions[i], &name, why);
    free(name.text);
    return status;
}

/* The report of --contexts: of allocations, or also of deaths. */
const struct report_class contexts_report = {.is_table = true,
                                             .traits = TRAIT_NAMES | TRAIT_LIFETIMES,
                                             .sums = SUMS_OF_ALLOCATIONS,
                                             .of = OF_MOMENTS_GIVEN,
                                             .begin = contexts_begin,
                                             .finish = contexts_finish};
const struct report_class contexts_of_deaths_report = {.is_table = true,
                                                       .traits = TRAIT_NAMES | TRAIT_COMPUTED |
                                                                 TRAIT_LIFETIMES,
                                                       .sums = SUMS_OF_PAIRS,
                                                       .of = OF_MOMENTS_GIVEN,
                                                       .begin = contexts_begin,
                                                       .finish = contexts_finish};
