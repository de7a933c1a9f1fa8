/* SPDX-License-Identifier: MIT */
/* The table of --contexts: a row a context and type, in the order in which the trace first
 * allocates in them. It is written at the end, when all of their objects have come by. */
#include "report/lives/context_table.h"

#include "report/lives/place_name.h"

#include <stdio.h>
#include <stdlib.h>

enum status contexts_begin(struct report *report, struct failure *why)
{
    (void)why; /* the table tells */
    table_names(
        &report->table,
        "context type frames objects bytes died mean_lifetime median_lifetime drag "
        "live_at_peak immortal_objects immortal_bytes immortal_drag gini_bytes gini_objects");
    if (report->material->names)
        table_names(&report->table, "type_name");
    table_end_row(&report->table);
    return STATUS_OK;
}

static void put_mean(struct table *table, const struct tally *tally)
{
    char digits[WIDE_SIZE], text[2 * WIDE_SIZE];
    wide_sum mean = figures_mean(tally->lifetime, tally->deaths);
    snprintf(text, sizeof text, "%s.%02u", figures_format_wide(digits, mean / 100),
             (unsigned)(mean % 100));
    table_text(table, text);
}

static void put_context_lifetimes(struct table *table, const struct tally *tally,
                                  const struct dispersion *dispersion)
{
    table_number(table, tally->deaths);
    if (tally->deaths == 0) {
        table_empty(table);
        table_empty(table);
        return;
    }
    put_mean(table, tally);
    table_number(table, dispersion->median);
}

static void put_drag(struct table *table, const struct places *places, wide_sum drag)
{
    char digits[WIDE_SIZE];
    if (places->has_uses)
        table_text(table, figures_format_wide(digits, drag));
    else
        table_empty(table);
}

static void put_type_name(struct table *table, const struct names *names, uint64_t type)
{
    const char *name = names_find(names, NAMES_TYPE, type);
    if (name)
        table_text(table, name);
    else
        table_number(table, type);
}

static void put_row(struct report *report, const struct tally *tally,
                    const struct dispersion *dispersion, const char *frames)
{
    struct table *table = &report->table;
    char gini[GINI_SIZE];
    table_number(table, tally->context);
    table_number(table, tally->type);
    table_text(table, frames);
    table_number(table, tally->objects);
    table_number(table, tally->bytes);
    put_context_lifetimes(table, tally, dispersion);
    put_drag(table, report->material->places, tally->drag);
    table_number(table, tally->live);
    table_number(table, tally->immortals);
    table_number(table, tally->immortal_bytes);
    put_drag(table, report->material->places, tally->immortal_drag);
    table_text(table, gini_print(gini, &dispersion->by_bytes));
    table_text(table, gini_print(gini, &dispersion->by_objects));
    if (report->material->names)
        put_type_name(table, report->material->names, tally->type);
    table_end_row(table);
}

enum status contexts_finish(struct report *report, struct failure *why)
{
    const struct places *places = report->material->places;
    struct place_name name = {.text = NULL};
    enum status status = STATUS_OK;
    const struct place_tallies *contexts = &places->by_context;
    for (size_t i = 0; status == STATUS_OK && i < contexts->tallies.count; i++) {
        const struct tally *tally = &contexts->tallies.items[i];
        const char *frames = place_name_of_context(&name, places->contexts, tally->context,
                                                   report->material->names);
        if (frames)
            put_row(report, tally, &contexts->dispersions[i], frames);
        else
            status = fail_memory(why);
    }
    free(name.text);
    return status;
}
