/* SPDX-License-Identifier: MIT */
/* The table of --references: its rows come from the engine, in this order. References that did
 * not end have an empty field for the end. */
#include "report/report.h"

#include "report/lives/shown_name.h"

#include <stdlib.h>

static const char *const end_names[] = {
    [REFERENCE_OVERWRITTEN] = "overwritten",
    [REFERENCE_CLEARED] = "cleared",
    [REFERENCE_DROPPED] = "container-died",
    [REFERENCE_LEFT] = "end",
};

static enum status put_reference(struct report *report, struct shown_name *name,
                                 const struct reference *reference, struct failure *why)
{
    struct table *table = &report->table;
    const struct names *names = report->material->names;
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
    if (names) {
        const char *field = shown_name_of_id(name, NAMES_FIELD, reference->field, names);
        if (!field)
            return fail_memory(why);
        table_text(table, field);
    }
    table_end_row(table);
    return table->status;
}

static enum status reference_table_finish(struct report *report, struct failure *why)
{
    struct table *table = &report->table;
    const struct report_material *material = report->material;
    struct reference reference;
    struct shown_name name = {.text = NULL};
    enum status status;
    table_names(table, "container field target created ended end static");
    if (material->names)
        table_names(table, "field_name");
    table_end_row(table);
    while ((status = reference_stream_next(material->references, &reference, why)) ==
           STATUS_OK) {
        status = interrupt_check(material->pass->interrupt, why);
        if (status == STATUS_OK)
            status = put_reference(report, &name, &reference, why);
        if (status != STATUS_OK)
            break;
    }
    free(name.text);
    return status == STATUS_END ? STATUS_OK : status;
}

const struct report_class references_report = {.is_table = true,
                                               .wants = WANT_LIVES | WANT_REFERENCES,
                                               .traits = TRAIT_NAMES,
                                               .finish = reference_table_finish};
