/* SPDX-License-Identifier: MIT */
/* The table of --references: its rows come from the engine, in their order. What did not end
 * has an empty field for its end. */
#include "report/lives/reference_table.h"

static const char *const end_names[] = {
    [REFERENCE_OVERWRITTEN] = "overwritten",
    [REFERENCE_CLEARED] = "cleared",
    [REFERENCE_DROPPED] = "container-died",
    [REFERENCE_LEFT] = "end",
};

static void put_reference(struct table *table, const struct reference *reference)
{
    table_number(table, reference->container);
    table_number(table, reference->field);
    table_number(table, reference->target);
    table_number(table, reference->created);
    if (reference->end != REFERENCE_LEFT)
        table_number(table, reference->ended);
    else
        table_empty(table);
    table_text(table, end_names[reference->end]);
    table_number(table, reference->container == 0);
    table_end_row(table);
}

enum status reference_table_finish(struct report *report, struct failure *why)
{
    struct table *table = &report->table;
    const struct report_material *material = report->material;
    struct reference reference;
    enum status status;
    table_names(table, "container field target created ended end static");
    table_end_row(table);
    while ((status = reference_stream_next(material->references, &reference, why)) ==
           STATUS_OK) {
        status = interrupt_check(material->history->interrupt, why);
        if (status != STATUS_OK)
            return status;
        put_reference(table, &reference);
        if (table->status != STATUS_OK)
            return table->status;
    }
    return status == STATUS_END ? STATUS_OK : status;
}
