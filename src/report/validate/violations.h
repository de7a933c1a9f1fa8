/* Violations: what a well-formed trace does not have (et-trace.md). */
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
    VIOLATION_NO_DEATH,
    VIOLATION_COUNT
};

/* The name for --ignore and for reports. */
const char *violation_name(enum violation violation);

/* Finds the violation with the name of `length` bytes at `name`; false: there is none. */
bool violation_find(const char *name, size_t length, enum violation *violation);

/* A set of violations: bit i stands for violation i. */
typedef uint32_t violation_set;

/* How often a violation was met, and where first. */
struct violation_tally {
    uint64_t count;
    struct failure first; /* line and text; nothing while count is 0 */
};

/* Counts `count` (not 0) more. True: there were none before, and the caller is to say in
 * tally->first what the first one is. */
bool violation_add(struct violation_tally *tally, uint64_t count);

/* The violations that were met, without those in `ignored`. */
violation_set violations_met(const struct violation_tally *tallies, violation_set ignored);

#endif
