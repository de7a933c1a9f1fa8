/* SPDX-License-Identifier: MIT */
/* The pass knows only the times of ticks in the window. So each collection finds the moments
 * of the last uses of what stays, while it can, and keeps them. */
#include "merlin/windows/readings.h"

#include "base/memory.h"

#include <stdlib.h>

/* An allocated object. */
struct window_life {
    uint64_t number;             /* how many there were before, */
    uint64_t allocation;         /* prior objects not counted */
    struct life_moment born;     /* of a prior object: the moment of its record */
    struct life_moment last_use; /* up to the latest collection */
    uint64_t first_use_bytes;    /* in the same way */
    uint32_t context;
};

struct window_lives {
    struct pass *pass;
    bool wants_causes;
    struct stored_lives *stored;
    struct window_life *items; /* by allocation, as in the heap and in recorders */
    size_t count;
    size_t capacity;
    size_t births;            /* items from this one on were born in the window */
    struct life_moment start; /* of the window: only tick and bytes */
    uint64_t start_allocations;
    uint64_t bytes; /* allocated so far, prior objects not counted */
    uint64_t allocations;
    struct lives_summary summary;
};

enum status window_lives_open(struct window_lives **out, struct pass *pass, bool wants_causes,
                              struct stored_lives *stored, struct failure *why)
{
    struct window_lives *lives = calloc(1, sizeof *lives);
    if (!lives)
        return fail_memory(why);
    lives->pass = pass;
    lives->wants_causes = wants_causes;
    lives->stored = stored;
    *out = lives;
    return STATUS_OK;
}

/* Counts an object of `size` bytes, prior or not. */
static enum status count_birth(struct window_lives *lives, uint64_t size, bool is_prior,
                               struct failure *why)
{
    struct lives_summary *summary = &lives->summary;
    uint64_t all;
    if (__builtin_add_overflow(lives->bytes + summary->prior_bytes, size, &all))
        return fail_bytes(why);
    if (is_prior) {
        summary->prior_objects++;
        summary->prior_bytes += size;
    } else {
        lives->allocations++;
        lives->bytes += size;
    }
    return STATUS_OK;
}

static const struct allocations *recorded_of(const struct window_lives *lives)
{
    return &lives->pass->recorders->allocations;
}

static bool is_prior(const struct window_lives *lives, size_t index)
{
    return record_is_prior(recorded_of(lives)->kinds[index]);
}

/* Adds the next allocation. */
static enum status add_window_life(struct window_lives *lives, struct failure *why)
{
    const struct pass *pass = lives->pass;
    size_t index = lives->count;
    if (!ARRAY_RESERVE(lives->items, lives->capacity, index + 1))
        return fail_memory(why);
    uint64_t tick = ascending_at(&recorded_of(lives)->ticks, index);
    struct window_life *item = &lives->items[index];
    *item = (struct window_life){
        .number = lives->allocations + lives->summary.prior_objects,
        .allocation = lives->allocations,
        .context =
            pass_contexts(pass) ? contexts_of(pass_contexts(pass), index - lives->births) : 0,
    };
    TRY(count_birth(lives, allocations_size(recorded_of(lives), index), is_prior(lives, index),
                    why));
    item->born = (struct life_moment){tick, clock_time(&pass->clock, tick), lives->bytes};
    lives->count++;
    return STATUS_OK;
}

enum status window_lives_note(struct window_lives *lives, struct failure *why)
{
    while (lives->count < recorded_of(lives)->ticks.count)
        TRY(add_window_life(lives, why));
    return STATUS_OK;
}

/* How many of the births in the window come before the first one at `tick` or later. */
static size_t births_before(const struct window_lives *lives, uint64_t tick)
{
    size_t low = lives->births, high = lives->count;
    BISECT(low, high, at, lives->items[at].born.tick < tick);
    return low - lives->births;
}

/* How many allocations come before `tick`, which is in the window or after it. */
static uint64_t allocations_made_before(const struct window_lives *lives, uint64_t tick)
{
    size_t before = births_before(lives, tick);
    if (before == 0)
        return lives->start_allocations;
    size_t last = lives->births + before - 1;
    return lives->items[last].allocation + !is_prior(lives, last);
}

/* The bytes allocated before `tick`, which is in the window or after it. */
static uint64_t bytes_before(const struct window_lives *lives, uint64_t tick)
{
    size_t before = births_before(lives, tick);
    return before == 0 ? lives->start.bytes
                       : lives->items[lives->births + before - 1].born.bytes;
}

/* Sets the moments of uses in the window: of the last use of `node`, whose item is `item`, and
 * of the second use. */
static void find_uses(const struct window_lives *lives, struct window_life *item, node_t node)
{
    const struct pass *pass = lives->pass;
    uint64_t last = objects_last_uses(pass->heap.objects)[node];
    if (last >= lives->start.tick)
        item->last_use = (struct life_moment){last, clock_time(&pass->clock, last),
                                              bytes_before(lives, last + 1)};
    const uint64_t *first_uses = uses_first(pass->recorders->uses);
    if (!first_uses || uses_count(pass->recorders->uses, node) < 2)
        return;
    if (first_uses[node] >= lives->start.tick)
        item->first_use_bytes = bytes_before(lives, first_uses[node]);
}

static enum status store_births(struct window_lives *lives, struct failure *why)
{
    for (size_t i = lives->births; i < lives->count; i++) {
        if (is_prior(lives, i))
            continue;
        struct birth_facts birth = life_birth(lives->pass, i);
        birth.context = lives->items[i].context;
        TRY(stored_lives_add_birth(lives->stored, &birth, why));
    }
    return STATUS_OK;
}

/* All facts of item number `index`, whose death is `death`, except for its group and its death
 * site. */
static struct life_facts window_life_facts(struct window_lives *lives, size_t index,
                                           const struct death *death)
{
    const struct pass *pass = lives->pass;
    struct window_life *item = &lives->items[index];
    node_t node = death->node;
    find_uses(lives, item, node);
    struct life_facts facts = {
        .number = item->number,
        .allocation = item->allocation,
        .last_use = item->last_use,
        .died = {death->tick, death->time,
                 death->survives ? lives->bytes : bytes_before(lives, death->tick)},
        .died_allocations =
            death->survives ? lives->allocations : allocations_made_before(lives, death->tick),
        .survives = death->survives,
        .context = item->context,
        .first_use_bytes = item->first_use_bytes,
    };
    life_set_object(&facts, pass, index, node);
    if (!life_is_prior(&facts))
        facts.born = item->born;
    return facts;
}

/* What is needed to store lives. */
struct storing {
    struct causes causes;  /* zero unless they are wanted */
    const node_t *numbers; /* by node (objects_numbers): of items, from 1 */
    bool *met;             /* by key: a life of its group has come */
};

static enum status storing_begin(struct storing *storing, const struct window_lives *lives,
                                 const struct deaths *window, struct failure *why)
{
    struct objects *objects = lives->pass->heap.objects;
    storing->numbers = objects_numbers(objects);
    storing->met = array_new(objects_count(objects), sizeof *storing->met);
    if (!storing->numbers || !storing->met)
        return fail_memory(why);
    return lives->wants_causes ? causes_find(&storing->causes, window, why) : STATUS_OK;
}

/* Adds to the facts of item number `index`, whose death is `death`, where it died. */
static enum status find_death_site(const struct window_lives *lives, struct life_facts *facts,
                                   const struct storing *storing, size_t index,
                                   const struct death *death, struct failure *why)
{
    const struct pass *pass = lives->pass;
    enum status status = STATUS_OK;
    if (!death->survives)
        status = life_die(pass, &storing->causes, death->node, life_is_prior(facts),
                          lives->items[index].born.tick, death->tick, why);
    life_set_death_site(facts, pass, &storing->causes, death->node);
    return status;
}

static enum status store_lives(struct window_lives *lives, const struct deaths *window,
                               size_t count, struct failure *why)
{
    struct storing storing = {.numbers = NULL};
    enum status status = storing_begin(&storing, lives, window, why);
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        struct death death = deaths_at(window, i);
        size_t item = storing.numbers[death.node] - 1;
        struct life_facts facts = window_life_facts(lives, item, &death);
        life_set_group(&facts, lives->pass, &storing.causes, death.node, storing.met);
        if (pass_death_sites(lives->pass))
            status = find_death_site(lives, &facts, &storing, item, &death, why);
        if (status == STATUS_OK)
            status = stored_lives_add(lives->stored, &facts, why);
    }
    causes_free(&storing.causes);
    free(storing.met);
    return status;
}

enum status window_lives_store(struct window_lives *lives, const struct deaths *window,
                               size_t count, struct failure *why)
{
    if (lives->start.tick == 0)
        lives->summary.first = life_first_moment(&lives->pass->clock);
    struct pass *pass = lives->pass;
    TRY(store_births(lives, why));
    TRY(store_lives(lives, window, count, why));
    if (pass_death_sites(pass))
        TRY(paths_pass(pass_death_sites(pass), pass->clock.now, why));
    return STATUS_OK;
}

void window_lives_move(struct window_lives *lives, const node_t *moved)
{
    size_t count, staying = 0;
    const node_t *nodes = objects_allocations(lives->pass->heap.objects, &count);
    for (size_t i = 0; i < count; i++)
        if (moved[nodes[i]] != NODE_NONE)
            find_uses(lives, &lives->items[i], nodes[i]);
    for (size_t i = 0; i < count; i++)
        if (moved[nodes[i]] != NODE_NONE)
            lives->items[staying++] = lives->items[i];
    lives->count = lives->births = staying;
    lives->start = (struct life_moment){.tick = lives->pass->clock.now, .bytes = lives->bytes};
    lives->start_allocations = lives->allocations;
}

enum status window_lives_finish(struct window_lives *lives, struct failure *why)
{
    lives->summary.end = life_moment_now(&lives->pass->clock, lives->bytes);
    return stored_lives_finish(lives->stored, &lives->summary, why);
}

void window_lives_close(struct window_lives *lives)
{
    if (!lives)
        return;
    free(lives->items);
    free(lives);
}
