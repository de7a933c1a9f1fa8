/* The kinds of violations and their names, by which --ignore leaves them out. Names are part of
 * what users rely on: none is changed or used again. */
#include "report/validate/violations.h"

#include <string.h>

static const char *const names[VIOLATION_COUNT] = {
    [VIOLATION_MALFORMED] = "malformed",
    [VIOLATION_ID_ZERO] = "id-zero",
    [VIOLATION_ID_NEGATIVE] = "id-negative",
    [VIOLATION_UNKNOWN_RECORD] = "unknown-record",
    [VIOLATION_TIME_BACKWARDS] = "time-backwards",
    [VIOLATION_UNMATCHED_EXIT] = "unmatched-exit",
    [VIOLATION_UNWOUND_FRAME] = "unwound-frame",
    [VIOLATION_OPEN_FRAME] = "open-frame",
    [VIOLATION_REPEATED_ID] = "repeated-id",
    [VIOLATION_NEVER_ALLOCATED] = "never-allocated",
    [VIOLATION_DEATH_OF_UNKNOWN] = "death-of-unknown",
    [VIOLATION_DEATH_OF_DEAD] = "death-of-dead",
    [VIOLATION_MENTION_AFTER_DEATH] = "mention-after-death",
    [VIOLATION_NO_DEATH] = "no-death",
};

const char *violation_name(enum violation violation)
{
    return names[violation];
}

bool violation_find(const char *name, size_t length, enum violation *violation)
{
    for (*violation = 0; *violation < VIOLATION_COUNT; ++*violation)
        if (strlen(names[*violation]) == length && memcmp(names[*violation], name, length) == 0)
            return true;
    return false;
}

bool violation_add(struct violation_tally *tally, uint64_t count)
{
    bool is_first = tally->count == 0;
    tally->count += count;
    return is_first;
}

violation_set violations_met(const struct violation_tally *tallies, violation_set ignored)
{
    violation_set met = 0;
    for (unsigned i = 0; i < VIOLATION_COUNT; i++)
        if (tallies[i].count > 0)
            met |= (violation_set)1 << i;
    return met & ~ignored;
}
