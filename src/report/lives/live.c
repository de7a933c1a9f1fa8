/* SPDX-License-Identifier: MIT */
/* The live heap from boundary to boundary. Births and deaths are both in order, so the walk
 * merges them, and needs no memory of its own. */
#include "report/lives/live.h"

void live_start(struct live_walk *walk, const struct lives *lives)
{
    *walk = (struct live_walk){.lives = lives};
}

/* The boundary that follows the next birth; NEVER: none does, or there is no more birth. What
 * is at the tick NEVER, which can only be the last one, add_end adds. */
static uint64_t next_birth(const struct live_walk *walk)
{
    const struct life_records *records = &lives_history(walk->lives)->life_records;
    if (walk->born == records->birth_ticks.count)
        return NEVER;
    uint64_t tick = ascending_at(&records->birth_ticks, walk->born);
    return tick < lives_end(walk->lives) ? tick + 1 : NEVER;
}

static uint64_t next_death(const struct live_walk *walk)
{
    const struct lives *lives = walk->lives;
    if (walk->died >= lives_boundary_death_count(lives))
        return NEVER;
    uint64_t tick;
    node_t node = lives_node(lives, lives_death(lives, walk->died));
    return lives_died(lives, node, &tick) ? tick : NEVER;
}

static void add_birth(struct live_walk *walk)
{
    const struct life_records *records = &lives_history(walk->lives)->life_records;
    walk->point.bytes = ascending_at(&records->birth_bytes, walk->born);
    walk->point.size += life_records_size(records, walk->born);
    walk->point.objects++;
    walk->point.allocated++;
    walk->born++;
}

/* The next object dies. Recorded deaths may come before the boundary after its birth. */
static void live_add_death(struct live_walk *walk)
{
    size_t allocation = lives_death(walk->lives, walk->died++);
    while (walk->born <= allocation)
        add_birth(walk);
    walk->point.size -=
        life_records_size(&lives_history(walk->lives)->life_records, allocation);
    walk->point.objects--;
    walk->point.died++;
}

/* What follows the last boundary. */
static bool add_end(struct live_walk *walk)
{
    walk->point.tick = lives_end(walk->lives);
    while (walk->born < lives_count(walk->lives))
        add_birth(walk);
    while (walk->died < lives_death_count(walk->lives))
        live_add_death(walk);
    return walk->point.allocated > 0 || walk->point.died > 0;
}

bool live_next(struct live_walk *walk)
{
    uint64_t birth = next_birth(walk), death = next_death(walk);
    uint64_t tick = birth < death ? birth : death;
    walk->point.allocated = walk->point.died = 0;
    if (tick == NEVER)
        return add_end(walk);
    walk->point.tick = tick;
    while (next_birth(walk) == tick)
        add_birth(walk);
    while (next_death(walk) == tick)
        live_add_death(walk);
    return true;
}

void live_find_peaks(struct live_peaks *peaks, const struct lives *lives)
{
    struct live_walk walk;
    *peaks = (struct live_peaks){.born_at_peak = 0};
    live_start(&walk, lives);
    while (live_next(&walk)) {
        if (walk.point.objects > peaks->most_objects.objects)
            peaks->most_objects = walk.point;
        if (walk.point.size > peaks->most_bytes.size) {
            peaks->most_bytes = walk.point;
            peaks->born_at_peak = walk.born;
        }
    }
}
