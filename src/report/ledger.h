/* The ledger: the life of each allocated object. All reports on lives are written from it,
 * whether deaths were computed or are those that the input has.
 *
 * Objects go by the number of their allocation, from 0 on in the order of the trace, which is
 * the order in which allocation records come by when the trace is read again. Moments are ticks
 * (merlin/clock.h); ledger_time makes times of them. */
#ifndef ETMERLIN_REPORT_LEDGER_H
#define ETMERLIN_REPORT_LEDGER_H

#include "merlin/causes.h"
#include "merlin/merge.h"

struct ledger;

/* Opens a ledger of computed deaths. Their history has notes (history_note_lives). `deaths`
 * must outlive *out, which the caller owns (ledger_close). With AT_END_DIE what is alive at the
 * end dies there. */
enum status ledger_open(struct ledger **out, const struct deaths *deaths, enum at_end at_end,
                        struct failure *why) MUST_CHECK;

/* Opens a ledger of the deaths that are recorded in the input: `history` has notes of these,
 * too, and must outlive *out. A death that is recorded before its object was born is moved to
 * its birth. Causes are unknown, and there are no groups. */
enum status ledger_open_recorded(struct ledger **out, struct history *history,
                                 struct failure *why) MUST_CHECK;

/* One life. */
struct life {
    uint64_t object;     /* its id, as reports and traces write it (ledger_set_ids) */
    uint64_t size;       /* bytes */
    uint64_t born;       /* tick */
    uint64_t born_bytes; /* allocated so far when it was born, its own included */
    uint64_t last_use;   /* tick of its own last use */
    uint64_t died; /* tick of the boundary that it died at; NEVER: it is alive at the end */
    uint64_t died_bytes; /* allocated before that boundary; if it died */
    enum cause cause;    /* of what is alive at the end also with AT_END_DIE: why it was */
    unsigned uses;       /* how often records use it, its allocation included; see USES_MAX */
    node_t node;
    node_t key; /* of its group; NODE_NONE: it has none */
};

/* How many allocations there are. */
size_t ledger_count(const struct ledger *ledger);

/* The life of allocation number `allocation`. Takes time logarithmic in their number. */
struct life ledger_life(const struct ledger *ledger, size_t allocation);

/* How long it lived; of a life that ended: from its allocation to the boundary at which it
 * died. */
static inline uint64_t life_ticks(const struct life *life)
{
    return life->died - life->born;
}

/* The bytes that were allocated after it while it lived. */
static inline uint64_t life_bytes(const struct life *life)
{
    return life->died_bytes - life->born_bytes;
}

/* The ticks from its last use to its death: 1 if it died at the next boundary. */
static inline uint64_t life_drag(const struct life *life)
{
    return life->died - life->last_use;
}

/* How many of them die, how many of these at boundaries and not behind the last record, and the
 * number of the allocation that is the index-th of them, from 0, in the order of their D
 * records. */
size_t ledger_death_count(const struct ledger *ledger);
size_t ledger_boundary_death_count(const struct ledger *ledger);
size_t ledger_death(const struct ledger *ledger, size_t index);

/* The allocation of a node that is allocated, and back. */
size_t ledger_allocation(const struct ledger *ledger, node_t node);
node_t ledger_node(const struct ledger *ledger, size_t allocation);

/* The tick of the boundary at which a node, allocated or not, died; NEVER: it did not. */
uint64_t ledger_died(const struct ledger *ledger, node_t node);

/* Why it died, or is alive. */
enum cause ledger_cause(const struct ledger *ledger, node_t node);

/* What the ledger is made from. */
const struct history *ledger_history(const struct ledger *ledger);

/* The time of a tick, as D records have it; the last tick; and all bytes that are allocated. */
uint64_t ledger_time(const struct ledger *ledger, uint64_t tick);
uint64_t ledger_end(const struct ledger *ledger);
uint64_t ledger_bytes(const struct ledger *ledger);

/* Bytes allocated before the boundary of `tick`. */
uint64_t ledger_bytes_before(const struct ledger *ledger, uint64_t tick);

/* The id of any node, allocated or not, as reports write it; of NODE_NONE 0. */
uint64_t ledger_id(const struct ledger *ledger, node_t node);

/* From now on ids are ids[node]; the array must outlive the ledger (renumbering). NULL: those
 * of the trace. */
void ledger_set_ids(struct ledger *ledger, const node_t *ids);

/* The groups of two or more objects, ascending by key node; *count of them. */
const struct group *ledger_groups(const struct ledger *ledger, size_t *count);

/* Whether the group of an object that is its own key, also if it is the only one in it, has a
 * cycle of references. */
bool ledger_has_cycle(const struct ledger *ledger, node_t key);

/* The group of two or more objects that has this key; NULL: there is none. */
const struct group *ledger_group(const struct ledger *ledger, node_t key);

/* NULL is allowed. */
void ledger_close(struct ledger *ledger);

#endif
