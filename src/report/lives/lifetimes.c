/* SPDX-License-Identifier: MIT */
/* The table of --lifetimes: a row an allocation. With a table of all objects they are in the
 * order of the trace: each is written in the second reading, when the allocation's record comes
 * by again, so type, site and thread need not be kept. Lives that are told as they ended have
 * them. */
#include "report/lives/lifetimes.h"

#include "report/lives/place_name.h"
#include "report/lives/uses.h"

#include <stdlib.h>

struct lifetimes {
    struct table *table;
    const struct lives *lives; /* NULL: lives are told as they ended */
    const struct history *history;
    const struct names *names;   /* NULL: without columns for names */
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
        .history = report->material->history,
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

static void put_record(struct table *table, const struct life_facts *life)
{
    table_number(table, life->object);
    table_letter(table, (char)life->kind);
    table_number(table, life->type);
    table_number(table, life->size);
    table_number(table, life->length);
    table_number(table, life->site);
    table_number(table, life->thread);
    table_number(table, life->line);
}

static void put_empty(struct table *table, unsigned count)
{
    while (count-- > 0)
        table_empty(table);
}

static void put_life(struct table *table, const struct life_facts *life, bool has_died)
{
    table_number(table, life->born.time);
    table_number(table, life->last_use.time);
    if (has_died) {
        table_number(table, life->died.time);
        table_number(table, life->died.tick - life->born.tick);
    } else {
        put_empty(table, 2);
    }
    table_number(table, life->born.bytes);
    if (has_died) {
        table_number(table, life->died.bytes);
        table_number(table, life->died.bytes - life->born.bytes);
    } else {
        put_empty(table, 2);
    }
}

static void put_cause(struct table *table, const struct life_facts *life)
{
    table_text(table, cause_name(life->cause));
    if (life->has_key)
        table_number(table, life->key);
    else
        table_empty(table);
    if (!life->is_key) {
        put_empty(table, 3);
        return;
    }
    table_number(table, life->group_objects);
    table_number(table, life->group_bytes);
    table_number(table, life->has_cycle);
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
    if (!place_name_of_site(&lifetimes->site_name, lifetimes->history, site, lifetimes->names,
                            &name))
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
        table_number(table, contexts_method(lifetimes->history->contexts, context));
    table_number(table, context);
}

/* When it was used last, and how long it lived then; a recorded death may come before that. */
static void put_life_uses(struct lifetimes *lifetimes, const struct life_facts *life,
                          bool has_died)
{
    struct table *table = lifetimes->table;
    if (!lifetimes->has_uses) {
        put_empty(table, 3);
        return;
    }
    table_number(table, life->last_use.bytes);
    if (!has_died || life->died.tick < life->last_use.tick) {
        put_empty(table, 2);
        return;
    }
    table_number(table, life->died.tick - life->last_use.tick);
    table_number(table, life->died.bytes - life->last_use.bytes);
}

static void put_method_name(struct lifetimes *lifetimes, uint32_t context)
{
    if (context == 0)
        table_text(lifetimes->table, "(none)");
    else
        lifetimes_put_name(lifetimes, NAMES_METHOD,
                           contexts_method(lifetimes->history->contexts, context));
}

static enum status lifetimes_put_row(struct lifetimes *lifetimes, const struct life_facts *life,
                                     bool has_died, struct failure *why)
{
    struct table *table = lifetimes->table;
    enum status status = STATUS_OK;
    put_record(table, life);
    put_life(table, life, has_died);
    put_cause(table, life);
    if (lifetimes->names) {
        lifetimes_put_name(lifetimes, NAMES_TYPE, life->type);
        status = put_site_name(lifetimes, life->site, why);
    }
    put_context(lifetimes, life->context);
    put_life_uses(lifetimes, life, has_died);
    if (lifetimes->names)
        put_method_name(lifetimes, life->context);
    table_end_row(table);
    return status;
}

/* What the row of a key tells of its group. */
static void add_group(const struct lives *lives, const struct life *life,
                      struct life_facts *facts)
{
    const struct group *group = lives_group(lives, life->key);
    facts->group_objects = group ? group->objects : 1;
    facts->group_bytes = group ? group->bytes : life->size;
    facts->has_cycle = lives_has_cycle(lives, life->key);
}

/* The facts of a life that a row has. */
static struct life_facts lifetimes_facts(const struct lifetimes *lifetimes,
                                         const struct life *life, const struct record *record)
{
    const struct lives *lives = lifetimes->lives;
    struct life_facts facts = {
        .object = life->object,
        .kind = record->kind,
        .type = record->type,
        .size = record->size,
        .length = record->length,
        .site = record->site,
        .thread = lifetimes->has_threads ? record->thread : 0,
        .born = {life->born, lives_time(lives, life->born), life->born_bytes},
        .last_use = {.tick = life->last_use, .time = lives_time(lives, life->last_use)},
        .cause = life->cause,
        .has_key = life->key != NODE_NONE,
        .key = lives_id(lives, life->key),
        .is_key = life->key == life->node,
    };
    if (lifetimes->has_uses)
        facts.last_use.bytes = uses_last_bytes(lives, life);
    if (life->has_died)
        facts.died =
            (struct life_moment){life->died, lives_time(lives, life->died), life->died_bytes};
    if (facts.is_key)
        add_group(lives, life, &facts);
    return facts;
}

enum status lifetimes_allocated(struct report *report, const struct record *record,
                                uint64_t line, uint64_t event, struct failure *why)
{
    struct lifetimes *lifetimes = report->state;
    (void)event;
    struct life life = lives_life(lifetimes->lives, lifetimes->next);
    struct life_facts facts = lifetimes_facts(lifetimes, &life, record);
    facts.line = line;
    facts.context = contexts_of(lifetimes->history->contexts, lifetimes->next++);
    return lifetimes_put_row(lifetimes, &facts, life.has_died, why);
}

enum status lifetimes_ended(struct report *report, const struct life_facts *life,
                            struct failure *why)
{
    bool has_died = !life->survives || report->material->assumptions.at_end == AT_END_DIE;
    return lifetimes_put_row(report->state, life, has_died, why);
}
