/* SPDX-License-Identifier: MIT */
/* The classes by frames grow, since an object that outlives ten frames is as far from the stack
 * as one that outlives twelve. */
#include "report/lives/life_classes.h"

#include "trace/record.h"

bool uses_are_recorded(const struct pass *pass)
{
    for (size_t i = 0; i < record_layout_count; i++) {
        unsigned kind = record_layouts[i].kind;
        if (!record_is_allocation(kind) && kind != RECORD_DEATH &&
            pass->counts.records[kind] > 0)
            return true;
    }
    return false;
}

static const struct {
    const char *key, *label;
    uint64_t most; /* frames */
} classes[OUTLIVED_CLASSES] = {
    [OUTLIVED_0] = {"0", "0: could be on the stack", 0},
    [OUTLIVED_1] = {"1", "1", 1},
    [OUTLIVED_2] = {"2", "2", 2},
    [OUTLIVED_3_TO_5] = {"3_to_5", "3 to 5", 5},
    [OUTLIVED_6_TO_10] = {"6_to_10", "6 to 10", 10},
    [OUTLIVED_MORE] = {"more", "more", UINT64_MAX},
    [OUTLIVED_NO_FRAME] = {"no_frame", "no frame was open", 0},
    [OUTLIVED_ALIVE] = {"alive", "alive at the end", 0},
};

enum age_at_death age_at_death(const struct life_facts *life)
{
    if (life->survives)
        return AGE_ALIVE;
    return life_bytes(life) < YOUNG_BYTES ? AGE_YOUNG : AGE_OLDER;
}

enum outlived outlived_class(const struct life_facts *life)
{
    unsigned found = OUTLIVED_0;
    if (life->survives)
        return OUTLIVED_ALIVE;
    if (!life->has_outlived)
        return OUTLIVED_NO_FRAME;
    while (life->frames_outlived > classes[found].most)
        found++;
    return (enum outlived)found;
}

const char *outlived_key(enum outlived outlived)
{
    return classes[outlived].key;
}

const char *outlived_label(enum outlived outlived)
{
    return classes[outlived].label;
}
