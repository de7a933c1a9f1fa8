/* SPDX-License-Identifier: MIT */
/* How a trace was read and its deaths were computed, as reports name it: in the words of the
 * command line. */
#ifndef ETMERLIN_REPORT_ASSUMPTIONS_H
#define ETMERLIN_REPORT_ASSUMPTIONS_H

#include "merlin/merge.h"
#include "merlin/pass.h"
#include "merlin/propagation.h"
#include "trace/reader_class.h"

#include <stddef.h>

/* The assumptions that deaths are computed under. */
struct assumptions {
    enum held_by held_by;
    enum unallocated unallocated;
    enum at_end at_end;
};

/* By the values of their options. */
extern const char *const held_by_words[], *const unallocated_words[], *const at_end_words[];

/* The options that say how a trace was read. */
enum { READING_MOST = 8 };

/* An option as it was given is `name`, followed by `value` unless that is NULL. */
struct reading_option {
    const char *name;
    const char *value;
};

/* Puts the options of `reading` that differ from their defaults, --type-sizes excepted, into
 * `options` in a fixed order. Returns how many there are. Their texts live as long as those of
 * `reading`. */
size_t reading_list(struct reading_option options[READING_MOST],
                    const struct reader_options *reading);

/* These options and --type-sizes as one line, separated by blanks; empty if all have their
 * defaults. The caller owns it (free). NULL: no memory. */
char *reading_text(const struct reader_options *reading);

#endif
