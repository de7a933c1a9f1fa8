/* Births and deaths are both in order, so the walk merges them. */
#include "report/live.h"

void live_start(struct live_walk *walk, const struct ledger *ledger)
{
    *walk = (struct live_walk){.ledger = ledger};
}

/* The boundary that follows the next birth; NEVER: none does, or there is no more birth. */
static uint64_t next_birth(const struct live_walk *walk)
{
    const struct notes *notes = &ledger_history(walk->ledger)->notes;
    if (walk->born == notes->birth_count)
        return NEVER;
    uint64_t tick = notes->births[walk->born].tick;
    return tick < ledger_end(walk->ledger) ? tick + 1 : NEVER;
}

static uint64_t next_death(const struct live_walk *walk)
{
    const struct ledger *ledger = walk->ledger;
    if (walk->died >= ledger_boundary_death_count(ledger))
        return NEVER;
    return ledger_died(ledger, ledger_node(ledger, ledger_death(ledger, walk->died)));
}

static void add_birth(struct live_walk *walk)
{
    const struct notes *notes = &ledger_history(walk->ledger)->notes;
    walk->point.bytes = notes->births[walk->born].bytes;
    walk->point.size += notes_size(notes, walk->born);
    walk->point.objects++;
    walk->point.allocated++;
    walk->born++;
}

/* The next object dies. Recorded deaths may come before the boundary after its birth. */
static void add_death(struct live_walk *walk)
{
    size_t allocation = ledger_death(walk->ledger, walk->died++);
    while (walk->born <= allocation)
        add_birth(walk);
    walk->point.size -= notes_size(&ledger_history(walk->ledger)->notes, allocation);
    walk->point.objects--;
    walk->point.died++;
}

/* What follows the last boundary. */
static bool add_end(struct live_walk *walk)
{
    walk->point.tick = ledger_end(walk->ledger);
    while (walk->born < ledger_count(walk->ledger))
        add_birth(walk);
    while (walk->died < ledger_death_count(walk->ledger))
        add_death(walk);
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
        add_death(walk);
    return true;
}
