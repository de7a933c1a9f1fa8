/* SPDX-License-Identifier: MIT */
/* Marking is the propagation itself: from the static fields, the open frames and all that is
 * named later, it stamps what never dies, as it does for a whole trace from the first two. What
 * is in use at the present tick, such as the receiver of the M just read, gets that tick as its
 * death, which no boundary has found yet: it stays. Nodes that stay are moved together, in
 * their order, so that tables remain dense and in the processor's caches. */
#include "merlin/windows/collect.h"

#include "base/memory.h"

#include <stdlib.h>

/* Takes the last mentions of nodes that have begun since the latest collection. */
static enum status take_last_mentions(struct collecting *collecting, struct failure *why)
{
    size_t count = objects_count(collecting->history->heap.objects);
    uint64_t *lasts =
        array_grow(collecting->last_mentions, &collecting->capacity, count, sizeof *lasts);
    if (!lasts)
        return fail_memory(why);
    collecting->last_mentions = lasts;
    if (collecting->known == 0)
        lasts[collecting->known++] = 0; /* null */
    enum status status = STATUS_OK;
    while (collecting->known < count && status == STATUS_OK) {
        lasts[collecting->known++] = number_stack_top(collecting->lasts);
        status = number_stack_pop(collecting->lasts, why);
    }
    return status;
}

static enum status store_deaths(const struct collecting *collecting,
                                const struct deaths *window, size_t count,
                                struct stored_deaths *deaths, struct failure *why)
{
    enum status status = STATUS_OK;
    if (collecting->lives)
        status = window_lives_store(collecting->lives, window, count, why);
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        struct death death = deaths_at(window, i);
        status = stored_deaths_add(deaths, &death, why);
    }
    return status;
}

/* Numbers the nodes that stay; the others get NODE_NONE. */
static enum status number_staying(const struct collecting *collecting,
                                  const struct deaths *window, node_t **moved,
                                  struct failure *why)
{
    uint64_t now = collecting->history->clock.now;
    *moved = array_new(collecting->known, sizeof **moved);
    if (!*moved)
        return fail_memory(why);
    node_t next = 1;
    for (size_t node = 1; node < collecting->known; node++)
        if (window->last_reached[node] >= now)
            (*moved)[node] = next++;
    return STATUS_OK;
}

static enum status release_dead(struct collecting *collecting, const struct deaths *window,
                                struct failure *why)
{
    struct history *history = collecting->history;
    uint64_t *lasts = collecting->last_mentions;
    node_t *moved;
    enum status status = number_staying(collecting, window, &moved, why);
    if (status != STATUS_OK)
        return status;
    if (collecting->lives)
        window_lives_move(collecting->lives, moved);
    status = history_move(history, moved, why);
    for (size_t node = 1; node < collecting->known && status == STATUS_OK; node++)
        if (moved[node] != NODE_NONE)
            lasts[moved[node]] = lasts[node];
    free(moved);
    collecting->known = objects_count(history->heap.objects);
    collecting->live = heap_weight(&history->heap) + frames_held_count(history->heap.frames);
    clock_forget(&history->clock);
    return status;
}

enum status collect(struct collecting *collecting, struct stored_deaths *deaths,
                    struct failure *why)
{
    struct deaths window;
    enum status status = take_last_mentions(collecting, why);
    if (status != STATUS_OK)
        return status;
    struct named_later later = {collecting->last_mentions, collecting->history->record};
    status = deaths_so_far(&window, collecting->history, collecting->unallocated, &later, why);
    if (status == STATUS_OK)
        status = store_deaths(collecting, &window, window.dead_count, deaths, why);
    if (status == STATUS_OK)
        status = release_dead(collecting, &window, why);
    deaths_free(&window);
    return status;
}

enum status collect_last(struct collecting *collecting, struct stored_deaths *deaths,
                         struct failure *why)
{
    struct deaths window;
    struct history *history = collecting->history;
    enum status status = deaths_so_far(&window, history, collecting->unallocated, NULL, why);
    if (history->use_places)
        use_places_keep_held(history->use_places, history->heap.frames);
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
    collecting->last_mentions = NULL;
}
