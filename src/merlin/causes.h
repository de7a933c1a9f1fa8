/* SPDX-License-Identifier: MIT */
/* Why objects died when they did, and which died together.
 *
 * death(o) is the time of death (etmerlin-deaths(7)): the latest last use
 * among o and all that reaches o. An object that dies has a key: an object that reaches it, or
 * itself, and whose own last use is that time, so that the death originated there. Several may
 * qualify. A key is one that no other qualifies for: nothing that reaches it, except what it
 * reaches as well, has that last use. So where an object's own last use and that of an object
 * which holds it are at the same tick, the holder is the key, and a structure that is used up
 * between two boundaries stays one group. Of the objects of a cycle the key is the one whose
 * last use explains most: a static field overwritten, a reference overwritten, a frame popped,
 * then a record that names it; of equals the one that the trace named first. An object that
 * several keys reach belongs to the one found last when keys are tried in that order.
 *
 * The cause follows; the first line that applies counts:
 *
 *   reached by a root, or used after the last boundary, or by what is: it is alive
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
 * no overwriting: it names the object. Roots are static fields, open frames and, if they are
 * immortal, objects that are never allocated. */
#ifndef ETMERLIN_MERLIN_CAUSES_H
#define ETMERLIN_MERLIN_CAUSES_H

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
    CAUSE_UNKNOWN = CAUSE_COUNT /* the death is recorded, not computed */
};

/* As reports write it: "use", "alive-static"; of CAUSE_UNKNOWN "". */
const char *cause_name(enum cause cause);

/* A group: all objects that have one key. */
struct group {
    node_t key;     /* may be an object that is never allocated */
    node_t objects; /* how many allocated ones */
    uint64_t bytes; /* of these */
    bool has_cycle; /* references among its objects, allocated or not, form a cycle */
};

struct causes {
    node_t *keys;         /* by node; of objects that are alive NODE_NONE */
    uint8_t *causes;      /* by node: see causes_of and causes_has_cycle */
    struct group *groups; /* of two or more objects, ascending by key */
    size_t group_count;
};

/* Finds keys, causes and groups. The history of *deaths has life records. Takes time linear in
 * nodes and slots. causes_free releases *causes, also after a failure. */
enum status causes_find(struct causes *causes, const struct deaths *deaths,
                        struct failure *why) MUST_CHECK;

/* Why `node` died, or is alive. */
enum cause causes_of(const struct causes *causes, node_t node);

/* Whether references among the objects with the key `key` form a cycle, if only from an object
 * to itself. */
bool causes_has_cycle(const struct causes *causes, node_t key);

/* The group of two or more objects with the key `key`; NULL: there is none. */
const struct group *causes_group(const struct causes *causes, node_t key);

void causes_free(struct causes *causes);

#endif
