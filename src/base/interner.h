/* SPDX-License-Identifier: MIT */
/* Dense numbers for ids, which may be any numbers of an input: 0, 1, 2, ... in the order in
 * which the ids are added. So facts about each id can be in an array. */
#ifndef ETMERLIN_BASE_INTERNER_H
#define ETMERLIN_BASE_INTERNER_H

#include "base/map.h"

#include <stdint.h>

/* No id has this number. */
#define NO_NUMBER UINT32_MAX

/* Zero-initialize it; interner_free ends it. */
struct interner {
    struct map numbers; /* id -> its number + 1 */
    uint32_t count;     /* of ids */
};

/* Sets *number to the number of `id`. A new id gets the number `count`, which grows.
 * STATUS_LIMIT: there are more than 2^32-2 `things`, the plural of what ids name. */
enum status interner_add(struct interner *interner, uint64_t id, const char *things,
                         uint32_t *number, struct failure *why) MUST_CHECK;

/* The number of `id`; NO_NUMBER: it has none. */
uint32_t interner_find(const struct interner *interner, uint64_t id);

/* Releases what the interner owns; it is empty then. */
void interner_free(struct interner *interner);

#endif
