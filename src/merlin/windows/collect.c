/* SPDX-License-Identifier: MIT */
/* The propagation itself is the marking: from static fields, open frames and all that is named
 * later, it stamps what is alive, as it does from the first two for a whole trace. An object in
 * use at the present tick, such as the receiver of the M just read, is stamped with that tick,
 * at which no boundary can have found it dead yet: it stays. Nodes that stay are moved
 * together, in their order, so that tables remain dense and in the processor's caches. */
#include "merlin/windows/readings.h"

#include "base/memory.h"
#include "merlin/lives/reference_walk.h"

#include <stdlib.h>

static bool has_references(const struct collecting *collecting)
{
    const struct recorders *recorders = collecting->pass->recorders;
    return recorders && recorders->references;
}

/* Gives numbers to the nodes that have begun since the latest collection. */
static enum status number_orders(struct collecting *collecting, size_t count,
                                 struct failure *why)
{
    if (!ARRAY_RESERVE(collecting->orders, collecting->order_capacity, count))
        return fail_memory(why);
    for (size_t node = collecting->known; node < count; node++)
        collecting->orders[node] = collecting->named++;
    return STATUS_OK;
}

/* Takes the last mentions of the nodes that have begun since the latest collection. */
static enum status take_last_mentions(struct collecting *collecting, struct failure *why)
{
    size_t count = objects_count(collecting->pass->heap.objects);
    if (!ARRAY_RESERVE(collecting->last_mentions, collecting->capacity, count))
        return fail_memory(why);
    uint64_t *lasts = collecting->last_mentions;
    if (has_references(collecting))
        TRY(number_orders(collecting, count, why));
    if (collecting->known == 0)
        lasts[collecting->known++] = 0; /* null */
    while (collecting->known < count) {
        lasts[collecting->known++] = number_stack_top(collecting->lasts);
        TRY(number_stack_pop(collecting->lasts, why));
    }
    return STATUS_OK;
}

/* Stores the references of what has died or, at the end of the trace, all references. */
static enum status store_references(const struct collecting *collecting,
                                    const struct deaths *window, bool at_end,
                                    struct failure *why)
{
    struct references *references = collecting->pass->recorders->references;
    struct reference_walk walk = {.pass = collecting->pass, .deaths = window};
    struct reference reference;
    while (reference_walk_next(&walk, !at_end, &reference))
        TRY(references_leave(references, collecting->orders[walk.container], &reference, why));
    return STATUS_OK;
}

static enum status store_deaths(const struct collecting *collecting,
                                const struct deaths *window, size_t count,
                                struct stored_deaths *deaths, struct failure *why)
{
    if (collecting->lives)
        TRY(window_lives_store(collecting->lives, window, count, why));
    for (size_t i = 0; i < count; i++) {
        struct death death = deaths_at(window, i);
        TRY(stored_deaths_add(deaths, &death, why));
    }
    return STATUS_OK;
}

/* Sets *moved to the new numbers of nodes that stay, and NODE_NONE for the others. */
static enum status number_staying(const struct collecting *collecting,
                                  const struct deaths *window, node_t **moved,
                                  struct failure *why)
{
    uint64_t now = collecting->pass->clock.now;
    *moved = array_new(collecting->known, sizeof **moved);
    if (!*moved)
        return fail_memory(why);
    node_t next = 1;
    for (size_t node = 1; node < collecting->known; node++)
        if (window->last_reached[node] >= now)
            (*moved)[node] = next++;
    return STATUS_OK;
}

/* Moves the `numbers` of nodes that stay, which are by node. */
static void move_numbers(uint64_t *numbers, const node_t *moved, size_t count)
{
    for (size_t node = 1; node < count; node++)
        if (moved[node] != NODE_NONE)
            numbers[moved[node]] = numbers[node];
}

/* Whenever the heap has doubled, returns to the system the memory that arrays have left behind
 * as they grew: the next arrays are too large for these pieces. */
static void trim(struct collecting *collecting)
{
    if (collecting->live <= 2 * collecting->trimmed)
        return;
    memory_trim();
    collecting->trimmed = collecting->live;
}

/* Releases all nodes but those with a number in `moved`. */
static enum status release_dead(struct collecting *collecting, const node_t *moved,
                                struct failure *why)
{
    struct pass *pass = collecting->pass;
    if (collecting->lives)
        window_lives_move(collecting->lives, moved);
    move_numbers(collecting->last_mentions, moved, collecting->known);
    if (collecting->orders)
        move_numbers(collecting->orders, moved, collecting->known);
    enum status status = pass_move(pass, moved, why);
    collecting->known = objects_count(pass->heap.objects);
    collecting->live = heap_weight(&pass->heap) + frames_held_count(pass->heap.frames);
    if (!collecting->keeps_clock)
        clock_forget(&pass->clock);
    trim(collecting);
    return status;
}

enum status collect(struct collecting *collecting, struct stored_deaths *deaths,
                    struct failure *why)
{
    struct deaths window;
    node_t *moved = NULL;
    TRY(take_last_mentions(collecting, why));
    objects_suspend_index(collecting->pass->heap.objects); /* its memory is used below */
    struct named_later later = {collecting->last_mentions, collecting->pass->record};
    enum status status =
        deaths_so_far(&window, collecting->pass, collecting->unallocated, &later, why);
    if (status == STATUS_OK)
        status = store_deaths(collecting, &window, window.dead_count, deaths, why);
    if (status == STATUS_OK && collecting->orders)
        status = store_references(collecting, &window, false, why);
    if (status == STATUS_OK)
        status = number_staying(collecting, &window, &moved, why);
    deaths_free(&window);
    if (status == STATUS_OK)
        status = release_dead(collecting, moved, why);
    free(moved);
    return status;
}

static enum status store_last_references(struct collecting *collecting,
                                         const struct deaths *window, struct failure *why)
{
    size_t count = objects_count(collecting->pass->heap.objects);
    TRY(number_orders(collecting, count, why));
    return store_references(collecting, window, true, why);
}

enum status collect_last(struct collecting *collecting, struct stored_deaths *deaths,
                         struct failure *why)
{
    struct deaths window;
    struct pass *pass = collecting->pass;
    free(collecting->last_mentions);
    collecting->last_mentions = NULL;
    enum status status = deaths_compute(&window, pass, collecting->unallocated, why);
    if (status == STATUS_OK && has_references(collecting))
        status = store_last_references(collecting, &window, why);
    if (pass->recorders)
        uses_keep_held(pass->recorders->uses, pass->heap.frames);
    if (status == STATUS_OK)
        status = store_deaths(collecting, &window, window.dead_count + window.alive_count,
                              deaths, why);
    deaths_free(&window);
    return status;
}

void collecting_free(struct collecting *collecting)
{
    window_lives_close(collecting->lives);
    free(collecting->last_mentions);
    free(collecting->orders);
    collecting->last_mentions = collecting->orders = NULL;
}
