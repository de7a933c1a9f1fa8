/* Pass 1: the last use of each object (death-times.md, "Last use"). */
#ifndef ETMERLIN_MERLIN_LAST_USE_H
#define ETMERLIN_MERLIN_LAST_USE_H

#include "base/status.h"
#include "heap/heap.h"
#include "merlin/clock.h"
#include "merlin/notes.h"
#include "merlin/references.h"
#include "trace/batch.h"

/* What an open frame holds (death-times.md, "What frames hold"). */
enum held_by { HELD_BY_RECEIVER, HELD_BY_NONE, HELD_BY_FRAME };

/* What pass 1 has met. */
struct trace_counts {
    uint64_t records[128]; /* by letter */
    uint64_t comments;
    uint64_t unknown;
    uint64_t malformed;
    uint64_t adopted;         /* allocations of ids that had been named before */
    uint64_t repeated;        /* allocations of ids that were allocated already */
    uint64_t unmatched_exits; /* of methods that were not open */
    uint64_t unwound_frames;  /* popped by the exit of an outer method */
};

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
    bool explicit_time; /* boundaries carry the time */
    bool ticks_by_time; /* history_tick_by_time */
    unsigned threads;   /* that may work on it; 0 as 1 */

    /* The thread of the record before, which is nearly always that of the next one. */
    uint64_t thread_id;
    uint32_t thread; /* its number in heap.frames, or NO_THREAD */

    /* What is kept beside last uses. */
    bool is_watched;      /* there are proofs or notes */
    struct proof *proofs; /* by node; NULL unless history_note_proofs */
    size_t proof_capacity;
    uint64_t record;               /* how many records there were, deaths not counted */
    bool keeps_notes;              /* history_note_lives */
    struct notes notes;            /* nothing unless they are kept */
    struct references *references; /* owned; NULL unless history_note_references */
};

#define NO_THREAD UINT32_MAX

/* An empty history; history_free releases it, also after a failure. */
enum status history_init(struct history *history, enum held_by held_by, bool explicit_time,
                         struct failure *why) MUST_CHECK;

/* From now on, before the first record of a trace with explicit times, the clock goes by the time
 * of each record, deaths included, and a tick is a time: of traces without boundaries. */
void history_tick_by_time(struct history *history);

/* From now on proofs are noted. */
enum status history_note_proofs(struct history *history, struct failure *why) MUST_CHECK;

/* From now on, before the first record, the births and uses of objects are noted, and with
 * `recorded` the deaths that the input has, too. */
enum status history_note_lives(struct history *history, bool recorded,
                               struct failure *why) MUST_CHECK;

/* From now on, before the first record, references that end are noted, in a file in `folder`
 * (NULL: see spool_open), and for each slot, as its mark (slots.h), the tick at which the
 * reference that it holds was created. A store of what a slot holds already changes nothing. */
enum status history_note_references(struct history *history, const char *folder,
                                    struct failure *why) MUST_CHECK;

/* Goes on with the records of `batch`. Death records mean nothing and are counted. */
enum status history_add(struct history *history, const struct batch *batch,
                        struct failure *why) MUST_CHECK;

void history_free(struct history *history);

#endif
