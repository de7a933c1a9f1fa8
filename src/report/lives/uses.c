/* SPDX-License-Identifier: MIT */
/* Uses are known by their ticks. In bytes the first is taken to be at the beginning of its tick
 * and the last at the end: so neither lag nor drag is told too large, and what is used in the
 * tick of its allocation has no lag, what dies at the boundary after its last use no drag. */
#include "report/lives/uses.h"

#include "trace/record_layout.h"

bool uses_are_told(const struct history *history)
{
    for (size_t i = 0; i < record_layout_count; i++) {
        unsigned kind = record_layouts[i].kind;
        if (!record_is_allocation(kind) && kind != RECORD_DEATH &&
            history->counts.records[kind] > 0)
            return true;
    }
    return false;
}

/* The clock of bytes when the life ends, at the latest with the trace. */
static uint64_t end_bytes(const struct lives *lives, const struct life *life)
{
    return life->has_died ? life->died_bytes : lives_bytes(lives);
}

/* The clock of bytes at the end of a tick, but not after `most`. */
static uint64_t bytes_after(const struct lives *lives, uint64_t tick, uint64_t most)
{
    uint64_t bytes = tick < lives_end(lives) ? lives_bytes_before(lives, tick + 1) : most;
    return bytes < most ? bytes : most;
}

uint64_t uses_last_bytes(const struct lives *lives, const struct life *life)
{
    return bytes_after(lives, life->last_use, end_bytes(lives, life));
}

struct use_phases uses_phases_of(unsigned uses, uint64_t born, uint64_t first, uint64_t last,
                                 uint64_t end)
{
    if (uses < 2)
        return (struct use_phases){.voids = end - born};
    if (first < born)
        first = born;
    return (struct use_phases){.lag = first - born, .use = last - first, .drag = end - last};
}

struct use_phases uses_phases(const struct lives *lives, const struct life *life)
{
    uint64_t end = end_bytes(lives, life), first = 0, last = 0;
    if (life->uses >= 2) {
        uint64_t tick = lives_history(lives)->life_records.first_uses[life->node];
        first = lives_bytes_before(lives, tick);
        last = uses_last_bytes(lives, life);
    }
    return uses_phases_of(life->uses, life->born_bytes, first, last, end);
}
