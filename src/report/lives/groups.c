/* SPDX-License-Identifier: MIT */
/* The table of --groups: a row a group of objects that die together because one of them does
 * (merlin/causes.h). */
#include "report/lives/groups.h"

enum status groups_finish(struct report *report, struct failure *why)
{
    struct table *table = &report->table;
    const struct lives *lives = report->material->lives;
    (void)why; /* the table tells */
    size_t count;
    const struct group *groups = lives_groups(lives, &count);
    table_names(table, "group death_time cause objects bytes cycle");
    table_end_row(table);
    for (size_t i = 0; i < count; i++) {
        const struct group *group = &groups[i];
        uint64_t died;
        lives_died(lives, group->key, &died);
        table_number(table, lives_id(lives, group->key));
        table_number(table, lives_time(lives, died));
        table_text(table, cause_name(lives_cause(lives, group->key)));
        table_number(table, group->objects);
        table_number(table, group->bytes);
        table_number(table, group->has_cycle);
        table_end_row(table);
    }
    return STATUS_OK;
}
