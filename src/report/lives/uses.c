/* SPDX-License-Identifier: MIT */
/* Uses are known by their ticks. In bytes the first is taken to be at the beginning of its tick
 * and the last at the end: so neither lag nor drag is reported too large, and what is used in
 * the tick of its allocation has no lag, what dies at the boundary after its last use no drag.
 */
#include "report/lives/uses.h"

#include "trace/record_layout.h"

bool uses_are_recorded(const struct history *history)
{
    for (size_t i = 0; i < record_layout_count; i++) {
        unsigned kind = record_layouts[i].kind;
        if (!record_is_allocation(kind) && kind != RECORD_DEATH &&
            history->counts.records[kind] > 0)
            return true;
    }
    return false;
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
