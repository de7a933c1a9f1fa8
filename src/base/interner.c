/* SPDX-License-Identifier: MIT */
/* The ids themselves are not kept, since most callers have them in the items that they number.
 * A caller appends an item when the number is that of its next item, which also works after a
 * failure between the two steps. */
#include "base/interner.h"

enum status interner_add(struct interner *interner, uint64_t id, const char *things,
                         uint32_t *number, struct failure *why)
{
    uint64_t *found = map_insert(&interner->numbers, id);
    if (!found)
        return fail_memory(why);
    if (*found == 0) {
        if (interner->count == NO_NUMBER - 1)
            return fail(why, STATUS_LIMIT, "There are more than %u %s", NO_NUMBER - 1, things);
        *found = ++interner->count;
    }
    *number = (uint32_t)(*found - 1);
    return STATUS_OK;
}

uint32_t interner_find(const struct interner *interner, uint64_t id)
{
    const uint64_t *found = map_find(&interner->numbers, id);
    return found && *found != 0 ? (uint32_t)(*found - 1) : NO_NUMBER;
}

void interner_free(struct interner *interner)
{
    map_free(&interner->numbers);
    interner->count = 0;
}
