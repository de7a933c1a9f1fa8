/* SPDX-License-Identifier: MIT */
/* What reports make of a life: its class by the frames that it outlives, and that by its age at
 * death; and what objects of one type, or from one site of allocation, amount to. */
#ifndef ETMERLIN_REPORT_LIVES_TALLIES_H
#define ETMERLIN_REPORT_LIVES_TALLIES_H

#include "base/map.h"
#include "base/status.h"
#include "merlin/lives/life_facts.h"
#include "merlin/pass.h"
#include "report/figures.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether the trace records uses of objects other than their allocations; formats that hold
 * lifetimes alone do not, and then nothing can be said of drag. */
bool uses_are_recorded(const struct pass *pass);

/* Classes by the frames that an object outlives (etmerlin-deaths(7)). */
enum outlived {
    OUTLIVED_0, /* it could be on the stack */
    OUTLIVED_1,
    OUTLIVED_2,
    OUTLIVED_3_TO_5,
    OUTLIVED_6_TO_10,
    OUTLIVED_MORE,
    OUTLIVED_NO_FRAME, /* none was open at its allocation */
    OUTLIVED_ALIVE,    /* it survives */
    OUTLIVED_CLASSES
};

/* Ages at death, in bytes that were allocated after an object. */
enum age_at_death {
    AGE_YOUNG, /* less than YOUNG_BYTES */
    AGE_OLDER,
    AGE_ALIVE, /* it survives, also if survivors die at the end */
    AGE_CLASSES
};

/* The youngest band of ages of the page ends here, too. */
#define YOUNG_BYTES (UINT64_C(64) * 1024)

/* The class of a life that is not of a prior object. */
enum age_at_death age_at_death(const struct life_facts *life);

/* The class of a life, if death sites are kept, and not of a prior object. */
enum outlived outlived_class(const struct life_facts *life);

/* What reports call a class: a key of JSON, and words. */
const char *outlived_key(enum outlived outlived);
const char *outlived_label(enum outlived outlived);

struct tally {
    uint64_t id; /* of the type or site; of others, a key of two numbers */
    uint64_t objects;
    uint64_t bytes;
    uint64_t deaths;    /* of these objects; and their lifetimes: */
    wide_sum lifetime;  /* in bytes, all together */
    uint64_t live;      /* bytes of them that live when most bytes do */
    wide_sum drag;      /* size times drag in bytes, of those that have drag */
    uint64_t immortals; /* alive at the end: objects, bytes, and their part of the drag */
    uint64_t immortal_bytes;
    wide_sum immortal_drag;
    uint64_t young; /* bytes of those that die young */
    /* If death sites are kept: bytes by frames outlived, and of what threads share. */
    uint64_t outlived[OUTLIVED_CLASSES];
    uint64_t shared;
    uint64_t type;  /* of the objects of a site, method or context */
    bool has_types; /* of a site: its objects are of several types */
    /* Of methods and contexts: */
    bool has_method; /* one was open */
    bool has_sites;  /* there are several */
    bool has_lines;  /* and not all of one line */
    bool is_alive;   /* of deaths: it is of what has no death site, since it survives */
    uint32_t context;
    uint32_t death_context; /* of a pair, unless it is_alive */
    uint64_t method;        /* if there is one */
    uint64_t site;          /* of methods and contexts: that of the first object */
    uint64_t line_site;     /* the first one of its line (site_sums.h) */
    size_t type_index;
    size_t method_index; /* of a context */
};

/* The number of a tally that was looked up lately; 0: of none. */
struct recent_tally {
    uint64_t id;
    uint64_t number;
};

enum { RECENT_TALLY_BITS = 8 };

/* What is added up of a life that has ended, or has come to the end of the trace. */
struct tallied_life {
    uint64_t size;
    uint64_t lifetime; /* bytes; if it died */
    uint64_t drag;     /* bytes, up to the end if it is alive there; 0 if it has none */
    bool has_died;
    bool survives;
    bool lives_at_peak;
    bool dies_young;
    enum outlived outlived;
    bool is_shared;
};

/* Adds the birth and the rest of a life. */
void tally_add_birth(struct tally *tally, uint64_t size);
void tally_add_life(struct tally *tally, const struct tallied_life *life);

/* Zero-initialize it; tallies_free ends it. */
struct tallies {
    struct map index; /* id -> number of its tally, from 1 on */
    struct recent_tally recent[1 << RECENT_TALLY_BITS]; /* by a hash of the id */
    struct tally *items;
    size_t count;
    size_t capacity;
};

/* The tally of `id`, an empty one if it is new; good until the next call. NULL: no memory. */
struct tally *tallies_find(struct tallies *tallies, uint64_t id) MUST_CHECK;

/* The index of the tally of `id`, which there is. */
size_t tallies_known(const struct tallies *tallies, uint64_t id);

/* What tallies are ranked by, the largest first; equal ones by id. */
enum ranking {
    RANK_OBJECTS,
    RANK_BYTES,
    RANK_DRAG,
    RANK_LIFETIME,
    RANK_LIVE,
    RANK_STACK, /* bytes that could be on the stack */
    RANK_YOUNG, /* bytes that die young */
    RANKINGS
};

/* What is ranked. */
struct ranking_choice {
    uint64_t min_count; /* deaths that a mean lifetime takes; at least 1 */
    size_t top;         /* so many are listed */
};

/* Ranks those that have a rank. Sets *ranked to an array of the first ones, and *count to their
 * number. The caller owns the array (free). */
enum status tallies_rank(const struct tallies *tallies, enum ranking ranking,
                         const struct ranking_choice *choice, const struct tally ***ranked,
                         size_t *count, struct failure *why) MUST_CHECK;

void tallies_free(struct tallies *tallies);

#endif
