/* SPDX-License-Identifier: MIT */
/* Which object of a graph an id of the trace means: like base/id_map.h, but the ids stand in an
 * array by object, so that a place takes 4 bytes. */
#ifndef ETMERLIN_REPORT_GRAPH_GRAPH_IDS_H
#define ETMERLIN_REPORT_GRAPH_GRAPH_IDS_H

#include "base/status.h"
#include "heap/node.h"

#include <stddef.h>

/* Zero-initialize it; graph_ids_free ends it. */
struct graph_ids {
    node_t *places; /* a power of two of them; NODE_NONE: none is here */
    size_t capacity;
    size_t used;
    unsigned shift; /* leaves of a hash the bits that show its place */
    uint64_t seed;  /* of hashes */
};

/* `ids` are those of the objects. The object that `id` means; NODE_NONE: none. */
node_t graph_ids_find(const struct graph_ids *map, const uint64_t *ids, uint64_t id);

/* The id of `object` means it from now on. */
enum status graph_ids_put(struct graph_ids *map, const uint64_t *ids, node_t object,
                          struct failure *why) MUST_CHECK;

/* `id` means none from now on. */
void graph_ids_take(struct graph_ids *map, const uint64_t *ids, uint64_t id);

/* The map is empty then. */
void graph_ids_free(struct graph_ids *map);

#endif
