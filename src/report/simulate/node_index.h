/* SPDX-License-Identifier: MIT */
/* An index of objects by a key, such as their id. The keys are stored with the objects alone.
 */
#ifndef ETMERLIN_REPORT_SIMULATE_NODE_INDEX_H
#define ETMERLIN_REPORT_SIMULATE_NODE_INDEX_H

#include "base/status.h"
#include "heap/objects.h"

#include <stddef.h>

/* The key of an object; it must not change while the object is in the index. */
typedef uint64_t node_key(const void *objects, node_t node);

/* Zero-initialize it but for the first two; node_index_free ends it. */
struct node_index {
    node_key *key_of;
    const void *objects; /* passed to key_of */
    node_t *slots;       /* `capacity` of them, a power of two; NODE_NONE: an empty slot */
    size_t capacity;
    size_t used;
    unsigned shift; /* a hash shifted right by so many bits is a slot */
    uint64_t seed;  /* of hashes */
};

/* The object with a key; NODE_NONE: there is none. */
node_t node_index_find(const struct node_index *index, uint64_t key);

/* Makes `key` lead to `node`, which must have this key from now on. Sets *before to the object
 * that the key led to until now; NODE_NONE: none. */
enum status node_index_put(struct node_index *index, uint64_t key, node_t node, node_t *before,
                           struct failure *why) MUST_CHECK;

/* Takes a key out and returns what it led to; NODE_NONE: nothing. */
node_t node_index_take(struct node_index *index, uint64_t key);

/* Objects have moved: the one at `node` is now at moved[node]. This must not be NODE_NONE for
 * objects in the index, and moved[NODE_NONE] must be NODE_NONE. */
void node_index_renumber(struct node_index *index, const node_t *moved);

void node_index_free(struct node_index *index);

#endif
