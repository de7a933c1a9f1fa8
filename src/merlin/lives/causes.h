/* SPDX-License-Identifier: MIT */
/* Why objects died when they did, and which objects died together.
 *
 * death(o) is the time of death (etmerlin-deaths(7)): the latest last use of o and of all that
 * reaches o. An object that dies has a key: an object that reaches it, or itself, whose own
 * last use is at that time, so that the death originated there. If several objects qualify, the
 * key is one that no other of them accounts for: nothing that reaches the key, except what the
 * key reaches as well, has its own last use at that time. So if an object and another one that
 * holds it are last used at the same tick, the holder is the key, and a structure that is used
 * up between two boundaries remains one group. Of the objects of a cycle, the key is the one
 * whose last use explains most: a static field overwritten, a reference overwritten, a frame
 * popped, then a record that names it; among equals, the one that the trace named first. An
 * object that several keys reach belongs to the key that is found last when keys are tried in
 * that order.
 *
 * The first line that applies is the cause:
 *
 *   reached by a root, or used after the last boundary, or reached by what was: it is alive
 *     a static field refers to it                        alive-static
 *     an open frame holds it                             alive-frame
 *     a root reaches it                                  alive-held
 *     it was itself used after the last boundary         alive-used
 *     what was used after the last boundary reaches it   alive-held
 *   its key is another object                            container
 *   its last use was a static field being overwritten    static
 *   ... a reference in an object being overwritten       update
 *   ... a frame that held it being popped                frame
 *   ... a record that named it                           use
 *
 * A store of what the slot holds already, or by which an object loses a reference to itself, is
 * not an overwriting: it only names the object. Roots are static fields, open frames and, if
 * they are immortal, objects that are never allocated. */
#ifndef ETMERLIN_MERLIN_LIVES_CAUSES_H
#define ETMERLIN_MERLIN_LIVES_CAUSES_H

#include "merlin/deaths.h"

enum cause {
    CAUSE_USE,
    CAUSE_UPDATE,
    CAUSE_FRAME,
    CAUSE_CONTAINER,
    CAUSE_STATIC,
    CAUSE_ALIVE_STATIC,
    CAUSE_ALIVE_FRAME,
    CAUSE_ALIVE_HELD,
    CAUSE_ALIVE_USED,
    CAUSE_COUNT,
    CAUSE_UNKNOWN = CAUSE_COUNT /* of a death that is recorded, not computed */
};

/* The name of a cause in reports: "use", "alive-static"; of CAUSE_UNKNOWN "". */
const char *cause_name(enum cause cause);

/* A group: all objects that have the same key. */
struct group {
    node_t key;     /* which may be an object that is never allocated */
    node_t objects; /* the number of allocated objects, but for prior ones */
    uint64_t bytes; /* the bytes of these objects */
    bool has_cycle; /* references among its objects, allocated or not, form a cycle */
};

struct causes {
    node_t *keys;         /* by node; NODE_NONE: the object is alive */
    uint8_t *causes;      /* by node; read it with causes_of and causes_has_cycle */
    struct group *groups; /* those of two or more objects, ascending by key */
    size_t group_count;
};

/* Finds keys, causes and groups. The pass of *deaths must record uses and allocations. Takes
 * time linear in nodes and slots. causes_free releases *causes, also after a failure. */
enum status causes_find(struct causes *causes, const struct deaths *deaths,
                        struct failure *why) MUST_CHECK;

/* Why `node` died, or why it is alive. */
enum cause causes_of(const struct causes *causes, node_t node);

/* Whether references among the objects with the key `key` form a cycle, even if only from an
 * object to itself. */
bool causes_has_cycle(const struct causes *causes, node_t key);

/* The group of two or more objects with the key `key`; NULL: there is none. */
const struct group *causes_group(const struct causes *causes, node_t key);

void causes_free(struct causes *causes);

#endif
