/* SPDX-License-Identifier: MIT */
/* The live heap from boundary to boundary. Births and deaths are both in order, so the walk
 * merges them, and needs no memory of its own. Stored lives are read as it goes: the next birth
 * and the next death are ahead of it. */
#include "report/lives/live.h"

#include <stdlib.h>

struct live_stored {
    const struct lives_summary *summary;
    struct birth_cursor *births;
    struct life_cursor *deaths;
    enum at_end at_end;
    struct failure *why;
    bool has_birth, has_death;
    struct birth_facts birth;
    struct life_facts death;
};

void live_start(struct live_walk *walk, const struct lives *lives)
{
    *walk = (struct live_walk){.lives = lives};
}

/* Whether a cursor that returned `status` has given something; a failure is kept. */
static bool live_has(struct live_walk *walk, enum status status)
{
    if (status != STATUS_OK && status != STATUS_END)
        walk->status = status;
    return status == STATUS_OK;
}

static void fetch_birth(struct live_walk *walk)
{
    struct live_stored *stored = walk->stored;
    stored->has_birth =
        live_has(walk, birth_cursor_next(stored->births, &stored->birth, stored->why));
}

static void fetch_death(struct live_walk *walk)
{
    struct live_stored *stored = walk->stored;
    stored->has_death =
        live_has(walk, life_cursor_next(stored->deaths, &stored->death, stored->why));
}

enum status live_start_stored(struct live_walk *walk, const struct stored_lives *lives,
                              enum at_end at_end, struct failure *why)
{
    *walk = (struct live_walk){.lives = NULL};
    struct live_stored *stored = walk->stored = calloc(1, sizeof *stored);
    if (!stored)
        return fail_memory(why);
    stored->summary = stored_lives_summary(lives);
    stored->at_end = at_end;
    stored->why = why;
    enum status status = birth_cursor_open(&stored->births, lives, why);
    if (status == STATUS_OK)
        status = life_cursor_open(&stored->deaths, lives, why);
    if (status != STATUS_OK)
        return status;
    fetch_birth(walk);
    fetch_death(walk);
    return walk->status;
}

void live_end(struct live_walk *walk)
{
    if (!walk->stored)
        return;
    birth_cursor_close(walk->stored->births);
    life_cursor_close(walk->stored->deaths);
    free(walk->stored);
    walk->stored = NULL;
}

static uint64_t live_last_tick(const struct live_walk *walk)
{
    return walk->stored ? walk->stored->summary->end.tick : lives_end(walk->lives);
}

static bool has_birth(const struct live_walk *walk)
{
    return walk->stored ? walk->stored->has_birth : walk->born < lives_count(walk->lives);
}

static bool has_death(const struct live_walk *walk)
{
    const struct live_stored *stored = walk->stored;
    if (stored)
        return stored->has_death && (!stored->death.survives || stored->at_end == AT_END_DIE);
    return walk->died < lives_death_count(walk->lives);
}

/* The boundary that follows the next birth; NEVER: none does, or there is no more birth. What
 * is at the tick NEVER, which can only be the last one, add_end adds. */
static uint64_t next_birth(const struct live_walk *walk)
{
    if (!has_birth(walk))
        return NEVER;
    uint64_t last = live_last_tick(walk);
    if (walk->stored)
        return walk->stored->birth.tick <= last ? walk->stored->birth.tick : NEVER;
    const struct life_records *records = &lives_history(walk->lives)->life_records;
    uint64_t tick = ascending_at(&records->birth_ticks, walk->born);
    return tick < last ? tick + 1 : NEVER;
}

static uint64_t next_death(const struct live_walk *walk)
{
    const struct lives *lives = walk->lives;
    const struct live_stored *stored = walk->stored;
    if (stored)
        return stored->has_death && !stored->death.survives ? stored->death.died.tick : NEVER;
    if (walk->died >= lives_boundary_death_count(lives))
        return NEVER;
    uint64_t tick;
    node_t node = lives_node(lives, lives_death(lives, walk->died));
    return lives_died(lives, node, &tick) ? tick : NEVER;
}

static void add_birth(struct live_walk *walk)
{
    uint64_t size;
    if (walk->stored) {
        size = walk->stored->birth.size;
        fetch_birth(walk);
    } else {
        size = life_records_size(&lives_history(walk->lives)->life_records, walk->born);
    }
    walk->point.bytes += size;
    walk->point.size += size;
    walk->point.objects++;
    walk->point.allocated++;
    walk->born++;
}

/* Takes the next death: sets *allocation to its number; returns its size. */
static uint64_t take_death(struct live_walk *walk, uint64_t *allocation)
{
    uint64_t size;
    if (walk->stored) {
        *allocation = walk->stored->death.allocation;
        size = walk->stored->death.size;
        fetch_death(walk);
    } else {
        size_t number = lives_death(walk->lives, walk->died);
        size = life_records_size(&lives_history(walk->lives)->life_records, number);
        *allocation = number;
    }
    walk->died++;
    return size;
}

/* The next object dies. Recorded deaths may come before the boundary after its birth. */
static void live_add_death(struct live_walk *walk)
{
    uint64_t allocation, size = take_death(walk, &allocation);
    while (walk->born <= allocation && has_birth(walk))
        add_birth(walk);
    walk->point.size -= size;
    walk->point.objects--;
    walk->point.died++;
}

/* The time of a tick at which something is next, or of the end. */
static uint64_t time_of_next(const struct live_walk *walk, uint64_t tick)
{
    const struct live_stored *stored = walk->stored;
    if (!stored)
        return lives_time(walk->lives, tick);
    if (next_birth(walk) == tick)
        return stored->birth.time;
    return next_death(walk) == tick ? stored->death.died.time : stored->summary->end.time;
}

/* What follows the last boundary. */
static bool add_end(struct live_walk *walk)
{
    walk->point.tick = live_last_tick(walk);
    walk->point.time = time_of_next(walk, walk->point.tick);
    while (has_birth(walk))
        add_birth(walk);
    while (has_death(walk))
        live_add_death(walk);
    return walk->point.allocated > 0 || walk->point.died > 0;
}

bool live_next(struct live_walk *walk)
{
    uint64_t birth = next_birth(walk), death = next_death(walk);
    uint64_t tick = birth < death ? birth : death;
    walk->point.allocated = walk->point.died = 0;
    if (walk->status != STATUS_OK)
        return false;
    if (tick == NEVER)
        return add_end(walk);
    walk->point.tick = tick;
    walk->point.time = time_of_next(walk, tick);
    while (next_birth(walk) == tick)
        add_birth(walk);
    while (next_death(walk) == tick)
        live_add_death(walk);
    return true;
}

void live_walk_peaks(struct live_peaks *peaks, struct live_walk *walk)
{
    *peaks = (struct live_peaks){.born_at_peak = 0};
    while (live_next(walk)) {
        if (walk->point.objects > peaks->most_objects.objects)
            peaks->most_objects = walk->point;
        if (walk->point.size > peaks->most_bytes.size) {
            peaks->most_bytes = walk->point;
            peaks->born_at_peak = walk->born;
        }
    }
}

void live_find_peaks(struct live_peaks *peaks, const struct lives *lives)
{
    struct live_walk walk;
    live_start(&walk, lives);
    live_walk_peaks(peaks, &walk);
}
