/* SPDX-License-Identifier: MIT */
/* The kinds of violations and notes, and their names, by which --ignore accepts them. Users
 * rely on the names: none may be changed, or used again for something else. */
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
    [VIOLATION_UNKNOWN_REFERENCE] = "unknown-reference",
    [VIOLATION_CLEARED_TWICE] = "cleared-twice",
};

static const char *const note_names[NOTE_COUNT] = {
    [NOTE_NO_DEATH] = "no-death",
    [NOTE_OPEN_AT_END] = "open-at-end",
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

const char *validate_note_name(enum validate_note note)
{
    return note_names[note];
}

bool validate_note_find(const char *name, size_t length)
{
    for (unsigned i = 0; i < NOTE_COUNT; i++)
        if (strlen(note_names[i]) == length && memcmp(note_names[i], name, length) == 0)
            return true;
    return false;
}

bool finding_add(struct finding *finding, uint64_t count)
{
    bool is_first = finding->count == 0;
    finding->count += count;
    return is_first;
}

violation_set violations_met(const struct finding *violations, violation_set ignored)
{
    violation_set met = 0;
    for (unsigned i = 0; i < VIOLATION_COUNT; i++)
        if (violations[i].count > 0)
            met |= (violation_set)1 << i;
    return met & ~ignored;
}
