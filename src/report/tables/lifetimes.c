/* SPDX-License-Identifier: MIT */
/* The table of --lifetimes: a row for each life, in the order of death. Everything in a row is
 * in the life, except names. */
#include "report/report.h"

#include "report/lives/shown_name.h"

#include <stdlib.h>
#include <string.h>

struct lifetimes {
    struct table *table;
    const struct pass *pass;
    const struct names *names;   /* NULL: the table has no columns for names */
    struct shown_name site_name; /* a buffer */
    bool has_uses;
};

static enum status lifetimes_begin(struct report *report, struct failure *why)
{
    struct lifetimes *lifetimes = report->state = malloc(sizeof *lifetimes);
    if (!lifetimes)
        return fail_memory(why);
    *lifetimes = (struct lifetimes){
        .table = &report->table,
        .names = report->material->names,
        .pass = report->material->pass,
        .has_uses = uses_are_recorded(report->material->pass),
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
    table_names(table, "death_method death_context frames_outlived shared");
    if (lifetimes->names)
        table_names(table, "death_method_name");
    table_end_row(table);
    return STATUS_OK;
}

static char *lifetimes_remark(const struct report *report)
{
    if (!report->material->is_recorded)
        return NULL;
    return strdup("Recorded deaths do not show where objects die: death_method and "
                  "death_context are empty");
}

static void lifetimes_release(struct report *report)
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

static void put_if(struct table *table, bool is_known, uint64_t number)
{
    if (is_known)
        table_number(table, number);
    else
        table_empty(table);
}

/* Puts birth, death and lifetime. The birth of what was there before the trace is unknown. */
static void put_life(struct table *table, const struct life_facts *life)
{
    bool was_born = !life_is_prior(life), has_died = life->has_died;
    put_if(table, was_born, life->born.time);
    table_number(table, life->last_use.time);
    put_if(table, has_died, life->died.time);
    put_if(table, has_died && was_born, life_ticks(life));
    put_if(table, was_born, life->born.bytes);
    put_if(table, has_died, life->died.bytes);
    put_if(table, has_died && was_born, life_bytes(life));
}

static void put_cause(struct table *table, const struct life_facts *life)
{
    if (life->cause == CAUSE_UNKNOWN)
        table_empty(table);
    else
        table_text(table, cause_name(life->cause));
    put_if(table, life->has_key, life->key);
    if (!life->is_key) {
        put_empty(table, 3);
        return;
    }
    table_number(table, life->group_objects);
    table_number(table, life->group_bytes);
    table_number(table, life->has_cycle);
}

/* Puts the name of an id, or the id itself if it has none. */
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
    if (!shown_name_of_site(&lifetimes->site_name, lifetimes->pass, site, lifetimes->names,
                            &name))
        return fail_memory(why);
    if (name)
        table_text(lifetimes->table, name);
    else
        table_number(lifetimes->table, site);
    return STATUS_OK;
}

/* Puts the innermost method of a context and the number of the context, or empty fields. */
static void put_context(struct table *table, const struct contexts *contexts, uint32_t context,
                        bool is_known)
{
    if (is_known && context != 0)
        table_number(table, contexts_method(contexts, context));
    else
        table_empty(table);
    put_if(table, is_known, context);
}

/* Puts when it was last used, and how long it lived after that, up to the end if it survives. A
 * recorded death may come before the last use. */
static void put_life_uses(struct lifetimes *lifetimes, const struct life_facts *life)
{
    struct table *table = lifetimes->table;
    if (!lifetimes->has_uses) {
        put_empty(table, 3);
        return;
    }
    table_number(table, life->last_use.bytes);
    if (life->dies_before_use || life_is_prior(life)) {
        put_empty(table, 2);
        return;
    }
    table_number(table, life_drag_ticks(life));
    table_number(table, life_drag_bytes(life));
}

static void put_method_name(struct lifetimes *lifetimes, const struct contexts *contexts,
                            uint32_t context, bool is_known)
{
    if (!is_known)
        table_empty(lifetimes->table);
    else if (context == 0)
        table_text(lifetimes->table, "(none)");
    else
        lifetimes_put_name(lifetimes, NAMES_METHOD, contexts_method(contexts, context));
}

/* Puts where it died, and what it outlived. The site of a recorded death is unknown. In the
 * time dialect, nothing is known about threads. */
static void put_death_site(struct lifetimes *lifetimes, const struct life_facts *life)
{
    struct table *table = lifetimes->table;
    const struct pass *pass = lifetimes->pass;
    const struct contexts *contexts = pass_contexts(pass);
    bool has_site = pass_has_death_paths(pass) && !life->survives;
    uint32_t context = (uint32_t)life->death_context;
    put_context(table, contexts, context, has_site);
    put_if(table, life->has_outlived, life->frames_outlived);
    put_if(table, !life_is_prior(life) && !pass->explicit_time, life->is_shared);
    if (lifetimes->names)
        put_method_name(lifetimes, contexts, context, has_site);
}

static enum status lifetimes_add_life(struct report *report, const struct life_facts *life,
                                      struct failure *why)
{
    struct lifetimes *lifetimes = report->state;
    struct table *table = lifetimes->table;
    enum status status = STATUS_OK;
    put_record(table, life);
    put_life(table, life);
    put_cause(table, life);
    if (lifetimes->names) {
        lifetimes_put_name(lifetimes, NAMES_TYPE, life->type);
        status = put_site_name(lifetimes, life->site, why);
    }
    const struct contexts *contexts = pass_contexts(lifetimes->pass);
    bool was_born = !life_is_prior(life);
    put_context(table, contexts, life->context, was_born);
    put_life_uses(lifetimes, life);
    if (lifetimes->names)
        put_method_name(lifetimes, contexts, life->context, was_born);
    put_death_site(lifetimes, life);
    table_end_row(table);
    return status;
}

/* A table, or a folder of its columns. */
#define LIFETIMES                                                                              \
    .is_table = true, .traits = TRAIT_NAMES | TRAIT_LIFETIMES,                                 \
    .wants = WANT_CONTEXTS | WANT_SITES | WANT_CAUSES | WANT_DEATH_SITES,                      \
    .begin = lifetimes_begin, .life = lifetimes_add_life, .remark = lifetimes_remark,          \
    .release = lifetimes_release
const struct report_class lifetimes_report = {LIFETIMES};
const struct report_class columns_report = {LIFETIMES, .is_folder = true};
