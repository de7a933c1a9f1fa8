/* SPDX-License-Identifier: MIT */
/* What reports see of an object: at its birth, and of its whole life. */
#ifndef ETMERLIN_MERLIN_LIVES_LIFE_FACTS_H
#define ETMERLIN_MERLIN_LIVES_LIFE_FACTS_H

#include "merlin/lives/causes.h"
#include "merlin/pass.h"
#include "trace/record.h"

#include <stdbool.h>

/* A moment on three clocks. */
struct life_moment {
    uint64_t tick;
    uint64_t time;  /* of that tick */
    uint64_t bytes; /* that have been allocated so far */
};

/* A life, with the contents of its allocation record. */
struct life_facts {
    uint64_t number;     /* that of its allocation, from 0 */
    uint64_t allocation; /* the same, prior objects (trace/record.h) not counted */
    uint64_t object;     /* its id */
    uint8_t kind;        /* enum record_kind */
    uint64_t type;
    uint64_t size; /* bytes */
    uint64_t length;
    uint64_t site;
    uint64_t thread;         /* id of the thread that allocated it; 0 if the trace has none */
    uint64_t line;           /* of the record in the input */
    struct life_moment born; /* zero for a prior object */
    /* Its own last use; bytes: at the end of that tick, but not after `died`. */
    struct life_moment last_use;
    struct proof proof; /* of its last use, with WANT_PROOFS */
    /* The boundary at which it died; if it survives, the end of the trace. */
    struct life_moment died;
    uint64_t died_allocations; /* how many were made before */
    bool survives;             /* no boundary finds it dead */
    bool has_died;             /* it does not survive, or survivors die at the end */
    /* Its death is recorded before its last use. The last use may be the end of a frame that
     * held it, if the recorded deaths follow another rule of what frames hold. */
    bool dies_before_use;
    enum cause cause; /* CAUSE_UNKNOWN unless causes are wanted */
    bool has_key;     /* it has a group */
    uint64_t key;     /* id of its key; 0: none */
    bool is_key;      /* it is its own key */
    bool is_first;    /* it is the first of its group, prior objects not counted */
    /* Of its group, if is_key or is_first: */
    bool has_cycle;
    uint64_t group_objects; /* allocated ones */
    uint64_t group_bytes;
    enum cause key_cause;     /* why its key died */
    uint64_t key_field;       /* if a field lost the key then (lost_fields): that field */
    uint32_t context;         /* 0 unless contexts are kept */
    unsigned uses;            /* see uses_count */
    uint64_t first_use_bytes; /* allocated before the tick of its second use, if that
                                 is recorded; may be less than at its birth */
    /* The last use, as in uses.h, if that is recorded. */
    uint64_t use_count;
    uint64_t use_thread; /* id */
    /* If death sites are kept (recorders/paths.h): */
    uint64_t death_context;   /* a context, as `context`, for computed deaths; 0 for others */
    uint64_t frames_outlived; /* only if has_outlived: it died at a boundary, is no prior
                                 object, and a frame was open at its allocation */
    bool has_outlived;
    bool is_shared; /* it has been named by another thread than the one that allocated it */
    /* The number of its recorded death among the D records of the trace, from 1. */
    uint64_t recorded;
};

/* Whether it was there before the trace: it is born at tick 0, before any byte is allocated. */
static inline bool life_is_prior(const struct life_facts *life)
{
    return record_is_prior(life->kind);
}

/* Whether its key died because a field that referred to it was overwritten. */
static inline bool life_key_lost_field(const struct life_facts *life)
{
    return life->key_cause == CAUSE_STATIC || life->key_cause == CAUSE_UPDATE;
}

/* The ticks that it lived, from its allocation to the boundary at which it died, or to the end.
 */
static inline uint64_t life_ticks(const struct life_facts *life)
{
    return life->died.tick - life->born.tick;
}

/* The bytes that were allocated after it during its life, to the end if it survives. */
static inline uint64_t life_bytes(const struct life_facts *life)
{
    return life->died.bytes - life->born.bytes;
}

/* The ticks, and the bytes allocated, from its last use to its death, unless that is before it:
 * 1 tick if it died at the next boundary, and the bytes that were allocated after the tick of
 * its last use. */
static inline uint64_t life_drag_ticks(const struct life_facts *life)
{
    return life->died.tick - life->last_use.tick;
}

static inline uint64_t life_drag_bytes(const struct life_facts *life)
{
    return life->died.bytes - life->last_use.bytes;
}

/* What is known when an object is born. Prior objects have no births. */
struct birth_facts {
    uint64_t tick;   /* of the boundary after it, whether or not there is one */
    uint64_t time;   /* of that tick, but at most that of the end */
    uint64_t object; /* its id */
    uint64_t kind;   /* enum record_kind */
    uint64_t thread; /* as in struct life_facts */
    uint64_t size;
    uint64_t type;
    uint64_t site;
    uint64_t context; /* 0 unless contexts are kept */
};

/* What all lives together are. */
struct lives_summary {
    uint64_t lives;       /* those of prior objects included */
    uint64_t allocations; /* births: those of prior objects not included */
    uint64_t prior_objects;
    uint64_t prior_bytes;
    uint64_t deaths;          /* at boundaries; the others survive */
    struct life_moment first; /* the first boundary: tick and time */
    struct life_moment end;
};

/* The facts of a birth, that of allocation number `allocation` of those that the pass has now,
 * from 0. The caller sets the context. The clock of *pass need not know other ticks than the
 * one after the allocation, if that has passed. */
struct birth_facts life_birth(const struct pass *pass, size_t allocation);

/* Sets what the record of the allocation says, object, thread, uses, and where the last one
 * was, in the life of `node`, that of allocation number `allocation` of those that the pass has
 * now, from 0. */
void life_set_object(struct life_facts *life, const struct pass *pass, size_t allocation,
                     node_t node);

/* Sets cause, key and group in the life of `node`; if *causes is zero, the cause is unknown and
 * there is no group. met[key] is whether a life with that key has come before, and is set. */
void life_set_group(struct life_facts *life, const struct pass *pass,
                    const struct causes *causes, node_t node, bool *met);

/* Calls paths_die for `node`, and records that an object, prior or not (`is_prior`), dies
 * where its key was last used, if that is known. The pass must keep death sites; *causes is
 * zero unless causes are wanted. */
enum status life_die(const struct pass *pass, const struct causes *causes, node_t node,
                     bool is_prior, uint64_t birth, uint64_t death,
                     struct failure *why) MUST_CHECK;

/* Sets the members for the death site in the life of `node`; the path (contexts.h) takes the
 * place of the context. To be called after life_set_group and life_die. The pass must keep
 * death sites; *causes is zero unless causes are wanted. */
void life_set_death_site(struct life_facts *life, const struct pass *pass,
                         const struct causes *causes, node_t node);

/* The moment of tick 1 or, if there is none, of tick 0, before anything has been allocated. */
struct life_moment life_first_moment(const struct clock *clock);

/* The moment of the latest tick, up to which `bytes` have been allocated. */
struct life_moment life_moment_now(const struct clock *clock, uint64_t bytes);

#endif
