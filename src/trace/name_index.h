/* SPDX-License-Identifier: MIT */
/* Dense numbers, 0, 1, 2, ..., for names, in the order in which they are first added. A name is
 * its whole text, whatever its parts are; the caller keeps it. */
#ifndef ETMERLIN_TRACE_NAME_INDEX_H
#define ETMERLIN_TRACE_NAME_INDEX_H

#include "base/map.h"
#include "trace/names.h"

/* Zero-initialize it; name_index_free ends it. */
struct name_index {
    struct map numbers; /* a hash, or the next free one -> number, and 1 */
    uint32_t count;     /* of names */
};

/* The names that have been added, which the caller keeps. */
struct indexed_names {
    struct name_parts (*name_of)(const void *context, uint32_t number);
    const void *context;
};

/* Sets *number to that of a name, which there is. A new one gets the number `count`, which
 * grows: the caller has to keep it. STATUS_LIMIT: there are more than 2^32-1 names. */
enum status name_index_add(struct name_index *index, const struct indexed_names *names,
                           const struct name_parts *name, uint32_t *number,
                           struct failure *why) MUST_CHECK;

void name_index_free(struct name_index *index);

#endif
