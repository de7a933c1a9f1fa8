/* SPDX-License-Identifier: MIT */
/* The table of --lifetimes: a row an allocation, in the order of the trace. Rows are written in
 * the second reading, when the allocation's record comes by again, so type, site and thread
 * need not be kept. */
#include "report/lives/lifetimes.h"

#include "report/lives/place_name.h"
#include "report/lives/uses.h"

#include <stdlib.h>

struct lifetimes {
    struct table *table;
    const struct lives *lives;
    const struct names *names; /* NULL: without columns for names */
    const struct contexts *contexts;
    struct place_name site_name; /* in the making */
    bool has_threads;
    bool has_uses;
    size_t next; /* allocation */
};

enum status lifetimes_begin(struct report *report, struct failure *why)
{
    struct lifetimes *lifetimes = report->state = malloc(sizeof *lifetimes);
    if (!lifetimes)
        return fail_memory(why);
    *lifetimes = (struct lifetimes){
        .table = &report->table,
        .lives = report->material->lives,
        .names = report->material->names,
        .contexts = report->material->history->contexts,
        .has_threads = !report->material->history->explicit_time,
        .has_uses = uses_are_told(report->material->history),
    };
    struct table *table = lifetimes->table;
    table_names(table, "object kind type size length site thread alloc_line alloc_time "
                       "last_use_time death_time lifetime alloc_bytes death_bytes "
                       "lifetime_bytes cause group group_objects group_bytes group_cycle");
    if (lifetimes->names)
        table_names(table, "type_name site_name");
    table_names(table, "method context last_use_bytes drag drag_bytes");
    if (lifetimes->names)
        table_names(table, "method_name");
    table_end_row(table);
    return STATUS_OK;
}

void lifetimes_release(struct report *report)
{
    struct lifetimes *lifetimes = report->state;
    if (lifetimes)
        free(lifetimes->site_name.text);
    free(lifetimes);
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
    table_number(table, lives_time(lifetimes->lives, life->born));
    table_number(table, lives_time(lifetimes->lives, life->last_use));
    if (life->has_died) {
        table_number(table, lives_time(lifetimes->lives, life->died));
        table_number(table, life_ticks(life));
    } else {
        put_empty(table, 2);
    }
    table_number(table, life->born_bytes);
    if (life->has_died) {
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
    const struct group *group = lives_group(lifetimes->lives, life->key);
    table_number(table, group ? group->objects : 1);
    table_number(table, group ? group->bytes : life->size);
    table_number(table, lives_has_cycle(lifetimes->lives, life->key));
}

static void put_cause(struct lifetimes *lifetimes, const struct life *life)
{
    struct table *table = lifetimes->table;
    table_text(table, cause_name(life->cause));
    if (life->key == NODE_NONE)
        table_empty(table);
    else
        table_number(table, lives_id(lifetimes->lives, life->key));
    if (life->key == life->node)
        put_key(lifetimes, life);
    else
        put_empty(table, 3);
}

/* An id without a name is shown as its number. */
static void lifetimes_put_name(struct lifetimes *lifetimes, enum name_space space, uint64_t id)
{
    const char *name = names_find(lifetimes->names, space, id);
    if (name)
        table_text(lifetimes->table, name);
    else
        table_number(lifetimes->table, id);
}

static enum status put_site_name(struct lifetimes *lifetimes, uint64_t site,
                                 struct failure *why)
{
    const char *name;
    if (!place_name_of_site(&lifetimes->site_name, lives_history(lifetimes->lives), site,
                            lifetimes->names, &name))
        return fail_memory(why);
    if (name)
        table_text(lifetimes->table, name);
    else
        table_number(lifetimes->table, site);
    return STATUS_OK;
}

static void put_context(struct lifetimes *lifetimes, uint32_t context)
{
    struct table *table = lifetimes->table;
    if (context == 0)
        table_empty(table);
    else
        table_number(table, contexts_method(lifetimes->contexts, context));
    table_number(table, context);
}

/* When it was used last, and how long it lived then. */
static void put_life_uses(struct lifetimes *lifetimes, const struct life *life)
{
    struct table *table = lifetimes->table;
    if (!lifetimes->has_uses) {
        put_empty(table, 3);
        return;
    }
    table_number(table, uses_last_bytes(lifetimes->lives, life));
    if (!uses_have_drag(life)) {
        put_empty(table, 2);
        return;
    }
    table_number(table, life_drag(life));
    table_number(table, uses_drag_bytes(lifetimes->lives, life));
}

static void put_method_name(struct lifetimes *lifetimes, uint32_t context)
{
    if (context == 0)
        table_text(lifetimes->table, "(none)");
    else
        lifetimes_put_name(lifetimes, NAMES_METHOD,
                           contexts_method(lifetimes->contexts, context));
}

enum status lifetimes_allocated(struct report *report, const struct record *record,
                                uint64_t line, uint64_t event, struct failure *why)
{
    struct lifetimes *lifetimes = report->state;
    enum status status = STATUS_OK;
    (void)event;
    uint32_t context = contexts_of(lifetimes->contexts, lifetimes->next);
    struct life life = lives_life(lifetimes->lives, lifetimes->next++);
    put_record(lifetimes, &life, record, line);
    put_life(lifetimes, &life);
    put_cause(lifetimes, &life);
    if (lifetimes->names) {
        lifetimes_put_name(lifetimes, NAMES_TYPE, record->type);
        status = put_site_name(lifetimes, record->site, why);
    }
    put_context(lifetimes, context);
    put_life_uses(lifetimes, &life);
    if (lifetimes->names)
        put_method_name(lifetimes, context);
    table_end_row(lifetimes->table);
    return status;
}
