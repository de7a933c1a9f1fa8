/* SPDX-License-Identifier: MIT */
/* Which object of an id a recorded death is that of (etmerlin-reports(5), "Repeated ids and
 * recorded deaths"). This is the rule of all reports; they differ in what they know:
 *
 * - --compare and the reports of --no-deaths know when objects die by computation, and each
 *   use, also that of a value that a store overwrites. A list that has nothing but deaths does
 *   not show where these stand in the trace, so --compare by time takes each for one at the
 *   boundary with its time; the reports also see what stands before it within a tick.
 * - --validate reads a trace once and keeps no references: it knows neither computed deaths nor
 *   overwritten values.
 * - Lives have to end with each death, so --no-deaths and --validate give one whose time is
 *   before all allocations of its id to an allocation before its record. --compare calls it
 *   unknown. */
#ifndef ETMERLIN_MERLIN_DEATH_PAIRING_H
#define ETMERLIN_MERLIN_DEATH_PAIRING_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The last use of an object in which frames have no part: a record names it, or overwrites a
 * reference to it. It proves that the object was alive, whatever frames hold. */
struct proof {
    uint64_t record; /* the number of the record, from 1, deaths not counted */
    uint64_t tick;
};

/* When a recorded death is. */
struct death_instant {
    uint64_t tick;
    uint64_t place; /* among the records of this tick: one of those below */
};

/* The place of a death that stands after record number `record`, counted as in struct proof. At
 * a boundary, the uses by the boundary's own record that follow its tick are later. */
static inline uint64_t death_place(uint64_t record, bool at_boundary)
{
    return at_boundary ? 2 * record - 1 : 2 * record + 1;
}

/* Other places: a death whose tick is known only by its time is at the boundary itself; one at
 * the last boundary may mean the end of the trace. */
#define PLACE_AT_TICK 0
#define PLACE_AT_END UINT64_MAX

/* Whether the use is after the death. */
static inline bool proof_is_after(const struct proof *proof, const struct death_instant *death)
{
    if (proof->tick != death->tick)
        return proof->tick > death->tick;
    return proof->record > death->place / 2;
}

enum death_fate {
    DEATH_PAIRED,
    DEATH_UNKNOWN, /* of an object that is not allocated, or not yet by then */
    DEATH_REPEATED /* the allocation has its death already */
};

/* An allocation of the id. */
struct pairing_owner {
    struct proof used;
    uint64_t computed; /* the tick of its computed death; UINT64_MAX: none, or not known */
    size_t death;      /* set: the number of its death in the array of claims, from 1; 0: none
                        */
};

/* A recorded death of the id. */
struct pairing_claim {
    struct death_instant at;
    uint64_t first;       /* the first tick that its time may mean; at.tick is the last one */
    uint64_t number;      /* its place in the order of the deaths' records */
    size_t owners;        /* how many of the allocations are before it */
    size_t owner;         /* set if it is paired: the number of the allocation, from 0 */
    enum death_fate fate; /* set */
};

/* Pairs the allocations of an id, in the order of the trace, with its deaths, which it sorts by
 * their moments. The first death of an only allocation is its own. Otherwise a death belongs to
 * an allocation before it that has no death yet: the one that dies then by computation; or
 * else, at tick `end`, the latest one that survives by computation and is not used after the
 * death; or else the latest one that is not used after it; or else the latest one. `end` is the
 * last tick; UINT64_MAX: computed deaths are not known. */
enum status pair_deaths(struct pairing_owner *owners, size_t owner_count,
                        struct pairing_claim *claims, size_t claim_count, uint64_t end,
                        struct failure *why) MUST_CHECK;

#endif
