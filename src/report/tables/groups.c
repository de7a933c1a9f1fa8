/* SPDX-License-Identifier: MIT */
/* The table of --groups: a row for each group of objects that die together because one of them
 * does (merlin/lives/causes.h), in the order in which their first objects come in the order of
 * death.
 */
#include "report/report.h"

#include "report/lives/shown_name.h"

#include <stdlib.h>

static enum status groups_begin(struct report *report, struct failure *why)
{
    table_names(&report->table, "group death_time cause objects bytes cycle field");
    if (report->material->names)
        table_names(&report->table, "field_name");
    table_end_row(&report->table);
    report->state = calloc(1, sizeof(struct shown_name));
    return report->state ? STATUS_OK : fail_memory(why);
}

/* Puts the field that lost the reference to the key object, if one did. */
static enum status put_field(struct report *report, const struct life_facts *life,
                             struct failure *why)
{
    struct table *table = &report->table;
    const struct names *names = report->material->names;
    if (!life_key_lost_field(life)) {
        table_empty(table);
        if (names)
            table_empty(table);
        return STATUS_OK;
    }
    table_number(table, life->key_field);
    if (!names)
        return STATUS_OK;
    const char *name = shown_name_of_id(report->state, NAMES_FIELD, life->key_field, names);
    if (!name)
        return fail_memory(why);
    table_text(table, name);
    return STATUS_OK;
}

static enum status groups_add_life(struct report *report, const struct life_facts *life,
                                   struct failure *why)
{
    struct table *table = &report->table;
    if (!life->is_first || life->group_objects < 2)
        return STATUS_OK;
    table_number(table, life->key);
    table_number(table, life->died.time);
    table_text(table, cause_name(life->key_cause));
    table_number(table, life->group_objects);
    table_number(table, life->group_bytes);
    table_number(table, life->has_cycle);
    enum status status = put_field(report, life, why);
    table_end_row(table);
    return status;
}

static void groups_release(struct report *report)
{
    struct shown_name *name = report->state;
    if (name)
        free(name->text);
    free(name);
}

const struct report_class groups_report = {.is_table = true,
                                           .wants = WANT_CAUSES | WANT_LOST_FIELDS,
                                           .traits =
                                               TRAIT_NAMES | TRAIT_COMPUTED | TRAIT_LIFETIMES,
                                           .begin = groups_begin,
                                           .life = groups_add_life,
                                           .release = groups_release};
