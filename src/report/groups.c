#include "report/groups.h"

void groups_write(struct table *table, const struct ledger *ledger)
{
    size_t count;
    const struct group *groups = ledger_groups(ledger, &count);
    table_names(table, "group death_time cause objects bytes cycle");
    table_end_row(table);
    for (size_t i = 0; i < count; i++) {
        const struct group *group = &groups[i];
        table_number(table, ledger_id(ledger, group->key));
        table_number(table, ledger_time(ledger, ledger_died(ledger, group->key)));
        table_text(table, cause_name(ledger_cause(ledger, group->key)));
        table_number(table, group->objects);
        table_number(table, group->bytes);
        table_number(table, group->has_cycle);
        table_end_row(table);
    }
}
