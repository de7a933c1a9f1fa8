/* Notes: what pass 1 keeps for reports beside last uses (death-times.md, "Last use"). */
#ifndef ETMERLIN_MERLIN_NOTES_H
#define ETMERLIN_MERLIN_NOTES_H

#include "base/status.h"
#include "heap/node.h"

#include <stdbool.h>
#include <stddef.h>

/* What a use was. */
enum use {
    USE_NAMED,       /* a record named the object */
    USE_OVERWRITTEN, /* a reference to it in an object was overwritten or cleared */
    USE_STATIC,      /* the same in a static field */
    USE_POPPED       /* a frame that held it was popped */
};

/* An allocation: when it was. */
struct birth {
    uint64_t tick;
    uint64_t bytes; /* allocated in the trace so far, its own included */
};

/* As many uses of an object are told apart; what is more counts as this many. */
enum { USES_MAX = 63 };

/* Zero-initialize it, but for keeps_deaths; notes_free ends it. */
struct notes {
    uint8_t *uses; /* by node: how many, up to USES_MAX, times 4, plus what the last one was */
    size_t use_capacity;
    struct birth *births; /* by number of allocation */
    size_t birth_count;
    size_t birth_capacity;
    bool keeps_deaths;
    uint64_t *deaths; /* by node: of what is recorded as dead, its tick plus 1; else 0 */
    size_t death_capacity;
};

/* Makes room for `nodes` nodes, all of which may then be noted. */
enum status notes_reserve(struct notes *notes, size_t nodes, struct failure *why) MUST_CHECK;

/* The record at hand uses `node`. A frame that pops is no record that uses: it does not count.
 */
static inline void notes_use(struct notes *notes, node_t node, enum use use)
{
    unsigned uses = notes->uses[node] & ~3u;
    if (use != USE_POPPED && uses < 4u * USES_MAX)
        uses += 4;
    notes->uses[node] = (uint8_t)(uses | (unsigned)use);
}

/* What the last use of `node` was, and how many there were. */
static inline enum use notes_last_use(const struct notes *notes, node_t node)
{
    return (enum use)(notes->uses[node] & 3);
}

static inline unsigned notes_use_count(const struct notes *notes, node_t node)
{
    return notes->uses[node] >> 2;
}

/* `size` bytes are allocated at `tick`. STATUS_LIMIT: the sum of all sizes does not fit 64
 * bits. */
enum status notes_birth(struct notes *notes, uint64_t tick, uint64_t size,
                        struct failure *why) MUST_CHECK;

/* The size of what allocation number `allocation` allocated. */
static inline uint64_t notes_size(const struct notes *notes, size_t allocation)
{
    const struct birth *birth = &notes->births[allocation];
    return allocation == 0 ? birth->bytes : birth->bytes - birth[-1].bytes;
}

void notes_free(struct notes *notes);

#endif
