/* SPDX-License-Identifier: MIT */
/* A map from hashes to numbers. What is hashed is a name as it is shown, which is never long
 * and differs from that of other names. If two share a hash nevertheless, the later one is kept
 * at the next free hash. */
#include "trace/name_index.h"

#include "base/hash.h"

#include <inttypes.h>

enum status name_index_add(struct name_index *index, const struct indexed_names *names,
                           const struct name_parts *name, uint32_t *number, struct failure *why)
{
    char shown[NAMES_SHOWN_WHOLE];
    uint64_t hash = hash_text(hash_seed(), shown, name_parts_show(shown, name));
    const uint64_t *found;
    for (; (found = map_find(&index->numbers, hash)) && *found > 0; hash++) {
        *number = (uint32_t)(*found - 1);
        struct name_parts other = names->name_of(names->context, *number);
        if (name_parts_equal(name, &other))
            return STATUS_OK;
    }
    if (index->count == UINT32_MAX)
        return fail(why, STATUS_LIMIT, "There are more than %" PRIu32 " names", UINT32_MAX);
    uint64_t *entry = map_insert(&index->numbers, hash);
    if (!entry)
        return fail_memory(why);
    *number = index->count++;
    *entry = index->count;
    return STATUS_OK;
}

void name_index_free(struct name_index *index)
{
    map_free(&index->numbers);
    index->count = 0;
}
