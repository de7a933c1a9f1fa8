/* SPDX-License-Identifier: MIT */
/* The pass keeps the same objects as the simulation, without references: those that are left
 * over and not allocated never are. Both number the names alike, so that the lists of numbers
 * are all that is kept. */
#include "report/simulate/early_names.h"

#include "base/memory.h"
#include "base/number.h"
#include "report/simulate/kept_objects.h"

#include <stdlib.h>

/* Whether a number, larger than those asked for before, is among these. */
static bool reach(struct name_numbers *numbers, uint64_t number)
{
    if (numbers->at == numbers->count || numbers->items[numbers->at] != number)
        return false;
    numbers->at++;
    return true;
}

bool early_names_are_never(const struct early_names *names, uint64_t id)
{
    return node_index_find(&names->never_ids, id) != NODE_NONE;
}

enum status early_names_next(struct early_names *names, uint64_t id, enum early_name *meaning,
                             struct failure *why)
{
    uint64_t number = names->next++;
    node_t before;
    *meaning = reach(&names->priors, number)  ? NAME_PRIOR
               : reach(&names->never, number) ? NAME_NEVER
                                              : NAME_ALLOCATED;
    if (*meaning != NAME_NEVER)
        return STATUS_OK;
    names->never.items[names->never.at - 1] = id;
    return node_index_put(&names->never_ids, id, (node_t)names->never.at, &before, why);
}

void early_names_free(struct early_names *names)
{
    free(names->priors.items);
    free(names->never.items);
    node_index_free(&names->never_ids);
}

struct name_search {
    struct early_names *out;
    struct kept_objects objects;
    uint64_t window;
    size_t most_objects; /* before any are released */
};

static enum status append(struct name_numbers *numbers, uint64_t number, struct failure *why)
{
    if (!ARRAY_RESERVE_SLOWLY(numbers->items, numbers->capacity, numbers->count + 1))
        return fail_memory(why);
    numbers->items[numbers->count++] = number;
    return STATUS_OK;
}

/* Releases what is dead. */
static enum status release_dead(struct name_search *search, struct failure *why)
{
    struct kept_objects *objects = &search->objects;
    node_t *moved = array_new(objects->count, sizeof *moved);
    if (!moved)
        return fail_memory(why);
    for (size_t i = 1; i < objects->count; i++)
        moved[i] = kept_state(&objects->items[i]) != KEPT_DEAD;
    enum status status = kept_objects_move(objects, moved, why);
    free(moved);
    search->most_objects = kept_objects_most(objects->count, search->window);
    return status;
}

static enum status see_birth(void *context, const struct heap_birth *birth, struct failure *why)
{
    struct name_search *search = context;
    struct kept_objects *objects = &search->objects;
    enum status status = STATUS_OK;
    if (objects->count >= search->most_objects)
        status = release_dead(search, why);
    node_t holders, node = kept_objects_meaning(objects, birth->id);
    const struct kept_object *object = &objects->items[node];
    if (status == STATUS_OK && birth->kind == HEAP_PRIOR && node != NODE_NONE &&
        kept_state(object) == KEPT_UNBORN)
        status = append(&search->out->priors, kept_number(object), why);
    return status == STATUS_OK ? kept_objects_allocate(objects, birth, &node, &holders, why)
                               : status;
}

static enum status see_death(void *context, const struct heap_death *death, struct failure *why)
{
    struct name_search *search = context;
    (void)why;
    kept_objects_die(&search->objects, death);
    return STATUS_OK;
}

static enum status see_store(void *context, const struct heap_store *store, struct failure *why)
{
    struct name_search *search = context;
    node_t node;
    TRY(kept_objects_name(&search->objects, store->container, &node, why));
    return kept_objects_name(&search->objects, store->value, &node, why);
}

/* Lists what is left over and not born: in the order of names, as objects are. */
static enum status list_never(struct name_search *search, struct failure *why)
{
    const struct kept_objects *objects = &search->objects;
    enum status status = STATUS_OK;
    for (size_t i = 1; i < objects->count && status == STATUS_OK; i++)
        if (kept_state(&objects->items[i]) == KEPT_UNBORN)
            status = append(&search->out->never, kept_number(&objects->items[i]), why);
    return status;
}

static uint64_t never_id(const void *objects, node_t node)
{
    const struct early_names *names = objects;
    return names->never.items[node - 1];
}

enum status early_names_find(struct early_names *out, const struct heap_events *events,
                             const struct early_options *options, struct failure *why)
{
    struct name_search search = {.out = out, .window = options->window};
    const struct heap_visitor visitor = {
        .born = see_birth, .died = see_death, .stored = see_store, .context = &search};
    enum status status = kept_objects_init(&search.objects, why);
    out->never_ids = (struct node_index){.key_of = never_id, .objects = out};
    search.most_objects = kept_objects_most(0, search.window);
    if (status == STATUS_OK)
        status = heap_events_visit(events, &visitor, options->interrupt, why);
    if (status == STATUS_OK)
        status = list_never(&search, why);
    if (out->priors.count > 0)
        qsort(out->priors.items, out->priors.count, sizeof *out->priors.items, number_compare);
    kept_objects_free(&search.objects);
    return status;
}
