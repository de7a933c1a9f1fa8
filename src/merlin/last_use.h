/* SPDX-License-Identifier: MIT */
/* Pass 1: the last use of each object (etmerlin-deaths(7)). */
#ifndef ETMERLIN_MERLIN_LAST_USE_H
#define ETMERLIN_MERLIN_LAST_USE_H

#include "base/interrupt.h"
#include "base/status.h"
#include "heap/contexts.h"
#include "heap/heap.h"
#include "heap/site_methods.h"
#include "merlin/allocation_records.h"
#include "merlin/clock.h"
#include "merlin/death_pairing.h"
#include "merlin/input_deaths.h"
#include "merlin/life_records.h"
#include "merlin/propagation.h"
#include "merlin/recorders/paths.h"
#include "merlin/recorders/references.h"
#include "merlin/recorders/uses.h"
#include "trace/batch.h"
#include "trace/record_layout.h"

/* What an open frame holds (etmerlin-deaths(7)). */
enum held_by { HELD_BY_RECEIVER, HELD_BY_NONE, HELD_BY_FRAME };

/* What pass 1 has counted. */
struct trace_counts {
    uint64_t records[RECORD_KINDS]; /* by letter */
    uint64_t comments;
    uint64_t unknown;
    uint64_t malformed;
    uint64_t adopted;         /* allocations of ids that had been named before */
    uint64_t repeated;        /* allocations of ids that were allocated already */
    uint64_t unmatched_exits; /* of methods that were not open */
    uint64_t unwound_frames;  /* abandoned: popped by the exit of an outer method */
};

/* Counts an allocation of an id that had been named before. */
static inline void trace_counts_allocation(struct trace_counts *counts, enum allocation how)
{
    counts->adopted += how == ALLOCATION_ADOPTED;
    counts->repeated += how == ALLOCATION_REPEATED;
}

/* What pass 1 makes of a trace. */
struct pass {
    struct heap heap;
    struct clock clock;
    struct trace_counts counts;
    enum held_by held_by;
    bool explicit_time;                /* boundaries have explicit times */
    bool ticks_by_time;                /* TICKS_BY_TIME */
    unsigned threads;                  /* how many may work on it; 0 is the same as 1 */
    const struct interrupt *interrupt; /* of computations on it; NULL: none */
    struct propagation_watch watch;    /* of these computations */

    /* For records that an earlier reading has prepared (windows/). */
    bool counts_frames; /* the `method` of an E or X is the number of frames that it pops; 0:
                           the method was not open */
    uint64_t abandoned; /* the number of the next M record whose frame is abandoned; 0: there is
                           none */

    struct latest_thread thread; /* a thread of heap.frames */

    /* What is kept in addition to last uses. */
    bool is_watched;   /* uses are recorded, in life records or in one of the members below */
    bool watches_more; /* there are proofs, recorded deaths or use positions */
    struct proof *proofs; /* by node; NULL unless history_keep_proofs */
    size_t proof_capacity;
    uint64_t record;               /* how many records there have been, deaths not counted */
    uint64_t boundary;             /* the number of the latest boundary; 0: none */
    uint64_t first_line;           /* of the present batch */
    bool keeps_life_records;       /* history_keep_lives */
    bool keeps_allocation_records; /* history_keep_allocation_records */
    struct allocation_records allocation_records; /* nothing unless they are kept */
    struct life_records life_records;             /* nothing unless they are kept */
    struct input_deaths *input_deaths; /* owned; NULL unless history_keep_lives with `recorded`
                                        */
    struct contexts *contexts;         /* owned; NULL unless history_keep_contexts */
    struct site_methods *sites;        /* owned; NULL unless history_keep_sites */
    struct references *references;     /* owned; NULL unless history_keep_references */
    struct use_positions *use_positions; /* owned; NULL unless history_keep_use_positions */
    struct death_sites *death_sites;     /* owned; NULL unless history_keep_death_sites */
    uint64_t *lost_fields;               /* by node: the field that lost it last; NULL unless
                                            history_keep_lost_fields */
    size_t lost_field_capacity;
    bool wants_causes; /* stored lives have the causes of deaths */
    bool keeps_clock;  /* windows do not forget the times of ticks */
};

/* An empty pass; pass_free releases it, also after a failure. */
enum status pass_init(struct pass *pass, enum held_by held_by, bool explicit_time,
                      struct failure *why) MUST_CHECK;

/* Makes the clock go by the time of each record, deaths included, so that a tick is a time: for
 * traces without boundaries. To be called before the first record of a trace with explicit
 * times. */
void TICKS_BY_TIME(struct pass *pass);

/* From now on proofs are recorded. */
enum status history_keep_proofs(struct pass *pass, struct failure *why) MUST_CHECK;

/* From now on the births and uses of objects are recorded and, with `recorded`, also the deaths
 * that the input has, and proofs. To be called before the first record, like all functions
 * below up to history_keep_death_sites. */
enum status history_keep_lives(struct pass *pass, bool recorded,
                               struct failure *why) MUST_CHECK;

/* From now on the contents of allocation records are kept. */
void history_keep_allocation_records(struct pass *pass);

/* From now on the tick of the second use of each object is recorded, if its life is: 8 bytes an
 * object. The first use is the allocation, unless the object is named before it. */
enum status history_keep_first_uses(struct pass *pass, struct failure *why) MUST_CHECK;

/* From now on the context of each allocation is recorded, with at most `depth` methods
 * (contexts.h): 4 bytes an object, and what each context takes. */
enum status history_keep_contexts(struct pass *pass, unsigned depth,
                                  struct failure *why) MUST_CHECK;

/* From now on the methods that allocate at each site are recorded. The pass must keep
 * contexts. */
enum status history_keep_sites(struct pass *pass, struct failure *why) MUST_CHECK;

/* From now on references that end are recorded in a file in `temporary` (NULL: see spool_open),
 * with ids of objects if `in_windows`, and the mark of each slot (slots.h) is the time at which
 * the reference that it holds was created. A store of what a slot holds already has no effect.
 */
enum status history_keep_references(struct pass *pass, bool in_windows,
                                    const struct temporary_folder *temporary,
                                    struct failure *why) MUST_CHECK;

/* From now on the position of the last use of each object is recorded. */
enum status history_keep_use_positions(struct pass *pass, enum use_position_kind kind,
                                       struct failure *why) MUST_CHECK;

/* From now on the field is recorded by whose overwriting each object last lost a reference: 8
 * bytes an object. */
enum status history_keep_lost_fields(struct pass *pass, struct failure *why) MUST_CHECK;

/* From now on what death_sites.h needs is recorded: 8 bytes an object, and files in `temporary`
 * (NULL: see death_sites_new). With `with_paths` it is also recorded where last uses are; the
 * pass must keep contexts then. */
enum status history_keep_death_sites(struct pass *pass, bool with_paths,
                                     const struct temporary_folder *temporary,
                                     struct failure *why) MUST_CHECK;

/* Applies the records of `batch`. Death records have no effect, unless history_keep_lives was
 * called with `recorded`, and are counted. */
enum status pass_add(struct pass *pass, const struct batch *batch,
                     struct failure *why) MUST_CHECK;

/* As heap_move, also for what is kept in addition to last uses; there may be neither proofs nor
 * recorded deaths. Allocations get new numbers, in their order. Their contexts are forgotten.
 */
enum status pass_move(struct pass *pass, const node_t *moved, struct failure *why) MUST_CHECK;

/* As pass_add, for the records of `batch` from number *next on: all of them, or those up to
 * the boundary after which the heap has at least the weight `weight` (heap.h), or up to record
 * number pass->abandoned. Moves *next after the last of them. Counts no comments, and no
 * unknown or malformed lines. */
enum status history_add_some(struct pass *pass, const struct batch *batch, size_t *next,
                             size_t weight, struct failure *why) MUST_CHECK;

void pass_free(struct pass *pass);

#endif
