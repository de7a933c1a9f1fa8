/* SPDX-License-Identifier: MIT */
/* What a validation finds: violations, which a well-formed trace does not have, and notes. */
#ifndef ETMERLIN_REPORT_VALIDATE_VIOLATIONS_H
#define ETMERLIN_REPORT_VALIDATE_VIOLATIONS_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In the order in which reports list them. */
enum violation {
    VIOLATION_MALFORMED,
    VIOLATION_ID_ZERO,
    VIOLATION_ID_NEGATIVE,
    VIOLATION_UNKNOWN_RECORD,
    VIOLATION_TIME_BACKWARDS,
    VIOLATION_UNMATCHED_EXIT,
    VIOLATION_UNWOUND_FRAME,
    VIOLATION_OPEN_FRAME,
    VIOLATION_REPEATED_ID,
    VIOLATION_NEVER_ALLOCATED,
    VIOLATION_DEATH_OF_UNKNOWN,
    VIOLATION_DEATH_OF_DEAD,
    VIOLATION_MENTION_AFTER_DEATH,
    VIOLATION_UNKNOWN_REFERENCE,
    VIOLATION_CLEARED_TWICE,
    VIOLATION_COUNT
};

/* What a well-formed trace may also have, and its reader may want to know. */
enum validate_note { NOTE_NO_DEATH, NOTE_OPEN_AT_END, NOTE_COUNT };

/* The name for --ignore and for reports. */
const char *violation_name(enum violation violation);

/* Finds the violation with the name of `length` bytes at `name`; false: there is none. */
bool violation_find(const char *name, size_t length, enum violation *violation);

/* Whether a note has the name of `length` bytes at `name`. */
bool validate_note_find(const char *name, size_t length);

/* A set of violations: bit i stands for violation i. */
typedef uint32_t violation_set;

/* How often a violation or a note was met, and where the first one is. */
struct finding {
    uint64_t count;
    struct failure first; /* line and text of the first one; empty while count is 0 */
};

/* The violations that were met, without those in `ignored`. */
violation_set violations_met(const struct finding *violations, violation_set ignored);

#endif
