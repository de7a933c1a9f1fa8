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
#include "merlin/death_sites.h"
#include "merlin/life_records.h"
#include "merlin/propagation.h"
#include "merlin/references.h"
#include "merlin/use_positions.h"
#include "trace/batch.h"
#include "trace/record_layout.h"

/* What an open frame holds (etmerlin-deaths(7)). */
enum held_by { HELD_BY_RECEIVER, HELD_BY_NONE, HELD_BY_FRAME };

/* What pass 1 has met. */
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

/* The last use of an object that frames have no part in: a record names it, or overwrites a
 * reference to it. It proves that the object was alive, whatever frames hold. */
struct proof {
    uint64_t record; /* its number from 1, deaths not counted */
    uint64_t tick;
};

/* What pass 1 makes of a trace. */
struct history {
    struct heap heap;
    struct clock clock;
    struct trace_counts counts;
    enum held_by held_by;
    bool explicit_time;                /* boundaries carry the time */
    bool ticks_by_time;                /* history_tick_by_time */
    unsigned threads;                  /* that may work on it; 0 as 1 */
    const struct interrupt *interrupt; /* of what is computed from it; NULL: never */
    struct propagation_watch watch;    /* of the same */

    /* Of a trace whose records have been read in full before (windows/). */
    bool counts_frames; /* of E and X, `method` is how many frames they pop, 0: it was not open
                         */
    uint64_t abandoned; /* the number of the next M whose frame is abandoned; 0: none is */

    struct latest_thread thread; /* one of heap.frames */

    /* What is kept in addition to last uses. */
    bool is_watched;      /* uses are noted: in life records, or as below */
    bool watches_more;    /* there are proofs, recorded deaths or use positions */
    struct proof *proofs; /* by node; NULL unless history_keep_proofs */
    size_t proof_capacity;
    uint64_t record;               /* how many records there were, deaths not counted */
    uint64_t first_line;           /* of the batch at hand */
    bool keeps_life_records;       /* history_keep_lives */
    bool keeps_allocation_records; /* history_keep_allocation_records */
    struct allocation_records allocation_records; /* nothing unless they are kept */
    struct life_records life_records;             /* nothing unless they are kept */
    struct contexts *contexts;                    /* owned; NULL unless history_keep_contexts */
    struct site_methods *sites;                   /* owned; NULL unless history_keep_sites */
    struct references *references;       /* owned; NULL unless history_keep_references */
    struct use_positions *use_positions; /* owned; NULL unless history_keep_use_positions */
    struct death_sites *death_sites;     /* owned; NULL unless history_keep_death_sites */
    uint64_t *lost_fields;               /* by node: the field that lost it last; NULL unless
                                            history_keep_lost_fields */
    size_t lost_field_capacity;
    bool wants_causes; /* stored lives have the causes of deaths */
    bool keeps_clock;  /* windows do not forget times of ticks */
};

/* An empty history; history_free releases it, also after a failure. */
enum status history_init(struct history *history, enum held_by held_by, bool explicit_time,
                         struct failure *why) MUST_CHECK;

/* From now on, before the first record of a trace with explicit times, the clock goes by the
 * time of each record, deaths included, and a tick is a time: of traces without boundaries. */
void history_tick_by_time(struct history *history);

/* From now on proofs are noted. */
enum status history_keep_proofs(struct history *history, struct failure *why) MUST_CHECK;

/* From now on, before the first record, the births and uses of objects are noted, and with
 * `recorded` the deaths that the input has, too. */
enum status history_keep_lives(struct history *history, bool recorded,
                               struct failure *why) MUST_CHECK;

/* From now on, before the first record, what records of allocations say is kept. */
void history_keep_allocation_records(struct history *history);

/* From now on, before the first record, the tick of the first use of each object but its
 * allocation is noted, if its life is: 8 bytes an object. */
enum status history_keep_first_uses(struct history *history, struct failure *why) MUST_CHECK;

/* From now on, before the first record, the context of each allocation is noted, of at most
 * `depth` methods (contexts.h): 4 bytes an object, and what each context takes. */
enum status history_keep_contexts(struct history *history, unsigned depth,
                                  struct failure *why) MUST_CHECK;

/* From now on, before the first record, the methods that allocate at each site are noted; the
 * history keeps contexts. */
enum status history_keep_sites(struct history *history, struct failure *why) MUST_CHECK;

/* From now on, before the first record, references that end are noted, in a file in `temporary`
 * (NULL: see spool_open), of windows with ids, and for each slot, as its mark (slots.h), the
 * time at which the reference that it holds was created. A store of what a slot holds already
 * changes nothing. */
enum status history_keep_references(struct history *history, bool in_windows,
                                    const struct temporary_folder *temporary,
                                    struct failure *why) MUST_CHECK;

/* From now on, before the first record, the position of each object's last use is noted. */
enum status history_keep_use_positions(struct history *history, enum use_position_kind kind,
                                       struct failure *why) MUST_CHECK;

/* From now on, before the first record, the field is noted by whose overwriting each object
 * last lost a reference: 8 bytes an object. */
enum status history_keep_lost_fields(struct history *history, struct failure *why) MUST_CHECK;

/* From now on, before the first record, what death_sites.h needs is noted: 8 bytes an object,
 * and files in `temporary` (NULL: see death_sites_new). `with_paths`: also where last uses are;
 * the history keeps contexts. */
enum status history_keep_death_sites(struct history *history, bool with_paths,
                                     const struct temporary_folder *temporary,
                                     struct failure *why) MUST_CHECK;

/* Goes on with the records of `batch`. Death records mean nothing and are counted. */
enum status history_add(struct history *history, const struct batch *batch,
                        struct failure *why) MUST_CHECK;

/* As heap_move, also for what is kept in addition to last uses, of which there are neither
 * proofs nor recorded deaths. Allocations are numbered anew, in their order, but for their
 * contexts: those are forgotten. */
enum status history_move(struct history *history, const node_t *moved,
                         struct failure *why) MUST_CHECK;

/* As history_add for the records of `batch` from number *next on, which it moves after those
 * that it has gone on with: all, or up to the boundary after which the heap has the weight
 * `weight` (heap.h), or up to the record number history->abandoned. */
enum status history_add_some(struct history *history, const struct batch *batch, size_t *next,
                             size_t weight, struct failure *why) MUST_CHECK;

void history_free(struct history *history);

#endif
