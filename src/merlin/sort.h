/* SPDX-License-Identifier: MIT */
/* Sorts nodes by a time. */
#ifndef ETMERLIN_MERLIN_SORT_H
#define ETMERLIN_MERLIN_SORT_H

#include "base/status.h"
#include "heap/objects.h"

#include <stddef.h>

/* Sorts the `count` nodes at `nodes` by keys[node], ascending; no key is above `max_key`. Nodes
 * with the same key keep their order. Takes time linear in `count`. STATUS_INTERRUPTED:
 * `interrupt`, which may be NULL, asks to stop. */
enum status sort_nodes(node_t *nodes, size_t count, const uint64_t *keys, uint64_t max_key,
                       const struct interrupt *interrupt, struct failure *why) MUST_CHECK;

#endif
