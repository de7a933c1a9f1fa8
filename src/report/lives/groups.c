/* SPDX-License-Identifier: MIT */
/* The table of --groups: a row a group of objects that die together because one of them does
 * (merlin/causes.h), in the order of death: where the first of its objects comes. */
#include "report/lives/groups.h"

enum status groups_begin(struct report *report, struct failure *why)
{
    (void)why; /* the table has it */
    table_names(&report->table, "group death_time cause objects bytes cycle");
    table_end_row(&report->table);
    return STATUS_OK;
}

enum status groups_ended(struct report *report, const struct life_facts *life,
                         struct failure *why)
{
    struct table *table = &report->table;
    (void)why; /* the same */
    if (!life->is_first || life->group_objects < 2)
        return STATUS_OK;
    table_number(table, life->key);
    table_number(table, life->died.time);
    table_text(table, cause_name(life->key_cause));
    table_number(table, life->group_objects);
    table_number(table, life->group_bytes);
    table_number(table, life->has_cycle);
    table_end_row(table);
    return STATUS_OK;
}
