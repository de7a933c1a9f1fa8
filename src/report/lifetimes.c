#include "report/lifetimes.h"

void lifetimes_begin(struct lifetimes *lifetimes)
{
    struct table *table = lifetimes->table;
    table_names(table, "object kind type size length site thread alloc_line alloc_time "
                       "last_use_time death_time lifetime alloc_bytes death_bytes "
                       "lifetime_bytes cause group group_objects group_bytes group_cycle");
    if (lifetimes->names)
        table_names(table, "type_name site_name");
    table_end_row(table);
}

static void put_record(struct lifetimes *lifetimes, const struct life *life,
                       const struct record *record, uint64_t line)
{
    struct table *table = lifetimes->table;
    table_number(table, life->object);
    table_letter(table, (char)record->kind);
    table_number(table, record->type);
    table_number(table, record->size);
    table_number(table, record->length);
    table_number(table, record->site);
    table_number(table, lifetimes->has_threads ? record->thread : 0);
    table_number(table, line);
}

static void put_empty(struct table *table, unsigned count)
{
    while (count-- > 0)
        table_empty(table);
}

static void put_life(struct lifetimes *lifetimes, const struct life *life)
{
    struct table *table = lifetimes->table;
    bool has_died = life->died != NEVER;
    table_number(table, ledger_time(lifetimes->ledger, life->born));
    table_number(table, ledger_time(lifetimes->ledger, life->last_use));
    if (has_died) {
        table_number(table, ledger_time(lifetimes->ledger, life->died));
        table_number(table, life_ticks(life));
    } else {
        put_empty(table, 2);
    }
    table_number(table, life->born_bytes);
    if (has_died) {
        table_number(table, life->died_bytes);
        table_number(table, life_bytes(life));
    } else {
        put_empty(table, 2);
    }
}

/* What the row of a key tells of its group. */
static void put_key(struct lifetimes *lifetimes, const struct life *life)
{
    struct table *table = lifetimes->table;
    const struct group *group = ledger_group(lifetimes->ledger, life->key);
    table_number(table, group ? group->objects : 1);
    table_number(table, group ? group->bytes : life->size);
    table_number(table, ledger_has_cycle(lifetimes->ledger, life->key));
}

static void put_cause(struct lifetimes *lifetimes, const struct life *life)
{
    struct table *table = lifetimes->table;
    table_text(table, cause_name(life->cause));
    if (life->key == NODE_NONE)
        table_empty(table);
    else
        table_number(table, ledger_id(lifetimes->ledger, life->key));
    if (life->key == life->node)
        put_key(lifetimes, life);
    else
        put_empty(table, 3);
}

/* An id without a name is shown as its number. */
static void put_name(struct lifetimes *lifetimes, enum name_space space, uint64_t id)
{
    const char *name = names_find(lifetimes->names, space, id);
    if (name)
        table_text(lifetimes->table, name);
    else
        table_number(lifetimes->table, id);
}

void lifetimes_row(struct lifetimes *lifetimes, const struct record *record, uint64_t line)
{
    struct life life = ledger_life(lifetimes->ledger, lifetimes->next++);
    put_record(lifetimes, &life, record, line);
    put_life(lifetimes, &life);
    put_cause(lifetimes, &life);
    if (lifetimes->names) {
        put_name(lifetimes, NAMES_TYPE, record->type);
        put_name(lifetimes, NAMES_SITE, record->site);
    }
    table_end_row(lifetimes->table);
}
