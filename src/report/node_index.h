/* SPDX-License-Identifier: MIT */
/* An index of objects by a key that they have, such as an id: the keys themselves are stored
 * with the objects only. */
#ifndef ETMERLIN_REPORT_NODE_INDEX_H
#define ETMERLIN_REPORT_NODE_INDEX_H

#include "base/status.h"
#include "heap/node.h"

#include <stddef.h>

/* The key of an object in an index; the same for as long as it is there. */
typedef uint64_t node_key(const void *objects, node_t node);

/* Zero-initialize it but for the first two; node_index_free ends it. */
struct node_index {
    node_key *key_of;
    const void *objects; /* what key_of is shown */
    node_t *slots;       /* a power of two of them; NODE_NONE: none is here */
    size_t capacity;
    size_t used;
    unsigned shift; /* leaves of a hash the bits that show its slot */
    uint64_t seed;  /* of hashes */
};

/* The object with a key; NODE_NONE: there is none. */
node_t node_index_find(const struct node_index *index, uint64_t key);

/* Makes `key` lead to `node`, whose key it is from now on. Sets *before to the object that it
 * led to until now; NODE_NONE: none. */
enum status node_index_put(struct node_index *index, uint64_t key, node_t node, node_t *before,
                           struct failure *why) MUST_CHECK;

/* Takes a key out and returns what it led to; NODE_NONE: nothing. */
node_t node_index_take(struct node_index *index, uint64_t key);

/* From now on, the object that was at `node` is at moved[node], which is not NODE_NONE for
 * objects in the index. */
void node_index_renumber(struct node_index *index, const node_t *moved);

void node_index_free(struct node_index *index);

#endif
