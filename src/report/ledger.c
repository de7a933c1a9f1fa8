/* Nearly all that a life is made of stands in arrays of the passes already. The ledger adds
 * what leads from nodes to allocations, and for recorded deaths their order. */
#include "report/ledger.h"

#include "base/memory.h"
#include "merlin/sort.h"

#include <stdlib.h>

struct ledger {
    const struct history *history;
    const struct deaths *deaths; /* NULL: they are recorded */
    struct causes causes;        /* of computed deaths */
    enum at_end at_end;
    const node_t *nodes; /* by allocation */
    size_t count;
    node_t *allocations; /* by node */
    const node_t *dead;  /* at boundaries, by tick, then by allocation */
    size_t dead_count;
    node_t *dead_recorded; /* owned */
    const node_t *ids;     /* by node; NULL: those of the trace */
};

/* An empty ledger of `history`. */
static enum status ledger_new(struct ledger **out, const struct history *history,
                              struct failure *why)
{
    const struct objects *objects = history->heap.objects;
    struct ledger *ledger = calloc(1, sizeof *ledger);
    if (!ledger)
        return fail_memory(why);
    ledger->history = history;
    ledger->nodes = objects_allocations(objects, &ledger->count);
    ledger->allocations = array_new(objects_count(objects), sizeof *ledger->allocations);
    if (!ledger->allocations) {
        ledger_close(ledger);
        return fail_memory(why);
    }
    for (size_t i = 0; i < ledger->count; i++)
        ledger->allocations[ledger->nodes[i]] = (node_t)i;
    *out = ledger;
    return STATUS_OK;
}

enum status ledger_open(struct ledger **out, const struct deaths *deaths, enum at_end at_end,
                        struct failure *why)
{
    struct ledger *ledger;
    enum status status = ledger_new(&ledger, deaths->history, why);
    if (status != STATUS_OK)
        return status;
    ledger->deaths = deaths;
    ledger->at_end = at_end;
    ledger->dead = deaths->dead;
    ledger->dead_count = deaths->dead_count;
    status = causes_find(&ledger->causes, deaths, why);
    if (status == STATUS_OK)
        *out = ledger;
    else
        ledger_close(ledger);
    return status;
}

/* Lists what has a recorded death, in the order of these. */
static enum status list_recorded(struct ledger *ledger, struct notes *notes,
                                 struct failure *why)
{
    ledger->dead_recorded = array_new(ledger->count, sizeof *ledger->dead_recorded);
    if (!ledger->dead_recorded)
        return fail_memory(why);
    ledger->dead = ledger->dead_recorded;
    for (size_t i = 0; i < ledger->count; i++) {
        uint64_t *death = &notes->deaths[ledger->nodes[i]];
        if (*death == 0)
            continue;
        if (*death <= notes->births[i].tick)
            *death = notes->births[i].tick + 1;
        ledger->dead_recorded[ledger->dead_count++] = ledger->nodes[i];
    }
    return sort_nodes(ledger->dead_recorded, ledger->dead_count, notes->deaths,
                      ledger->history->clock.now + 1, why);
}

enum status ledger_open_recorded(struct ledger **out, struct history *history,
                                 struct failure *why)
{
    struct ledger *ledger;
    enum status status = ledger_new(&ledger, history, why);
    if (status != STATUS_OK)
        return status;
    status = list_recorded(ledger, &history->notes, why);
    if (status == STATUS_OK)
        *out = ledger;
    else
        ledger_close(ledger);
    return status;
}

size_t ledger_count(const struct ledger *ledger)
{
    return ledger->count;
}

/* Bytes of the allocations before the first one at `tick` or later. */
uint64_t ledger_bytes_before(const struct ledger *ledger, uint64_t tick)
{
    const struct birth *births = ledger->history->notes.births;
    size_t low = 0, high = ledger->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (births[middle].tick < tick)
            low = middle + 1;
        else
            high = middle;
    }
    return low == 0 ? 0 : births[low - 1].bytes;
}

static uint64_t died_recorded(const struct ledger *ledger, node_t node)
{
    uint64_t death = ledger->history->notes.deaths[node];
    return death == 0 ? NEVER : death - 1;
}

/* Whether a node dies only because all that is alive at the end does. */
static bool dies_at_end(const struct ledger *ledger, node_t node)
{
    return ledger->deaths && ledger->at_end == AT_END_DIE &&
           ledger->deaths->last_reached[node] >= ledger->history->clock.now &&
           objects_is_allocated(ledger->history->heap.objects, node);
}

uint64_t ledger_died(const struct ledger *ledger, node_t node)
{
    if (!ledger->deaths)
        return died_recorded(ledger, node);
    uint64_t now = ledger->history->clock.now, last = ledger->deaths->last_reached[node];
    if (last < now)
        return last + 1;
    return dies_at_end(ledger, node) ? now : NEVER;
}

/* A recorded death may stand before the boundary that follows the birth. */
static void set_death(const struct ledger *ledger, struct life *life)
{
    life->died = ledger_died(ledger, life->node);
    if (life->died == NEVER)
        return;
    life->died_bytes = dies_at_end(ledger, life->node)
                           ? ledger_bytes(ledger)
                           : ledger_bytes_before(ledger, life->died);
    if (life->died_bytes < life->born_bytes)
        life->died_bytes = life->born_bytes;
}

enum cause ledger_cause(const struct ledger *ledger, node_t node)
{
    return ledger->deaths ? causes_of(&ledger->causes, node) : CAUSE_UNKNOWN;
}

struct life ledger_life(const struct ledger *ledger, size_t allocation)
{
    const struct history *history = ledger->history;
    const struct notes *notes = &history->notes;
    node_t node = ledger->nodes[allocation];
    struct life life = {
        .object = ledger_id(ledger, node),
        .size = notes_size(notes, allocation),
        .born = notes->births[allocation].tick,
        .born_bytes = notes->births[allocation].bytes,
        .last_use = objects_last_uses(history->heap.objects)[node],
        .cause = ledger_cause(ledger, node),
        .uses = notes_use_count(notes, node),
        .node = node,
        .key = ledger->deaths ? ledger->causes.keys[node] : NODE_NONE,
    };
    set_death(ledger, &life);
    return life;
}

size_t ledger_boundary_death_count(const struct ledger *ledger)
{
    return ledger->dead_count;
}

size_t ledger_death_count(const struct ledger *ledger)
{
    bool all_die = ledger->deaths && ledger->at_end == AT_END_DIE;
    return ledger->dead_count + (all_die ? ledger->deaths->alive_count : 0);
}

size_t ledger_death(const struct ledger *ledger, size_t index)
{
    node_t node = index < ledger->dead_count
                      ? ledger->dead[index]
                      : ledger->deaths->alive[index - ledger->dead_count];
    return ledger->allocations[node];
}

size_t ledger_allocation(const struct ledger *ledger, node_t node)
{
    return ledger->allocations[node];
}

node_t ledger_node(const struct ledger *ledger, size_t allocation)
{
    return ledger->nodes[allocation];
}

const struct history *ledger_history(const struct ledger *ledger)
{
    return ledger->history;
}

uint64_t ledger_time(const struct ledger *ledger, uint64_t tick)
{
    return clock_time(&ledger->history->clock, tick);
}

uint64_t ledger_end(const struct ledger *ledger)
{
    return ledger->history->clock.now;
}

uint64_t ledger_bytes(const struct ledger *ledger)
{
    return ledger->count == 0 ? 0 : ledger->history->notes.births[ledger->count - 1].bytes;
}

uint64_t ledger_id(const struct ledger *ledger, node_t node)
{
    return ledger->ids ? ledger->ids[node] : objects_id(ledger->history->heap.objects, node);
}

void ledger_set_ids(struct ledger *ledger, const node_t *ids)
{
    ledger->ids = ids;
}

const struct group *ledger_groups(const struct ledger *ledger, size_t *count)
{
    *count = ledger->causes.group_count;
    return ledger->causes.groups;
}

bool ledger_has_cycle(const struct ledger *ledger, node_t key)
{
    return causes_has_cycle(&ledger->causes, key);
}

const struct group *ledger_group(const struct ledger *ledger, node_t key)
{
    return causes_group(&ledger->causes, key);
}

void ledger_close(struct ledger *ledger)
{
    if (!ledger)
        return;
    causes_free(&ledger->causes);
    free(ledger->allocations);
    free(ledger->dead_recorded);
    free(ledger);
}
