/* SPDX-License-Identifier: MIT */
/* The stores of references into objects, and the allocations among them, in the order of the
 * trace: in a file without a name, since there may be as many of them as records. Objects are
 * called by their numbers (merlin/numbering.h): 1, 2, 3, ... in the order of allocation. What
 * is never allocated is left out: it holds nothing, and a store of it is one of null. */
#ifndef ETMERLIN_MERLIN_RECORDERS_STORES_H
#define ETMERLIN_MERLIN_RECORDERS_STORES_H

#include "io/temporary/numbers.h"
#include "merlin/events.h"

/* An allocation, or a store. */
struct heap_change {
    unsigned kind;         /* enum record_kind; of a store RECORD_UPDATE */
    uint64_t object;       /* that is allocated, or the container; never 0 */
    uint64_t size;         /* of an allocation: bytes */
    uint64_t field, value; /* of a store; value 0: null */
};

struct stores;

/* Makes an empty list, with a file in `temporary` (NULL: see spool_open). The caller owns *out
 * (stores_close). */
enum status stores_open(struct stores **out, const struct temporary_folder *temporary,
                        struct failure *why) MUST_CHECK;

/* For windows, before anything is seen: `numbers` has the number of each node
 * (windows/readings.h), on top that of the first. The list owns it from now on. Without it all
 * nodes must stay. */
void stores_take_numbers(struct stores *stores, struct number_stack *numbers);

/* Appends the allocations and stores that have been seen. */
enum status stores_see(struct stores *stores, const struct seen_batch *seen,
                       struct failure *why) MUST_CHECK;

/* To be called before heap_move with what is given to it; there are `nodes` nodes. */
void stores_move(struct stores *stores, const node_t *moved, size_t nodes);

/* Appends an allocation to a list that sees nothing, and so has no stores. */
enum status stores_add_birth(struct stores *stores, unsigned kind, uint64_t size,
                             struct failure *why) MUST_CHECK;

/* To be called when all has been appended, before the list is read. If nodes have been seen
 * without numbers, `objects` has these, and must outlive the list; else it may be NULL. */
enum status stores_finish(struct stores *stores, struct objects *objects,
                          struct failure *why) MUST_CHECK;

/* Whether an object was there before the trace (trace/record.h). */
bool stores_is_prior(const struct stores *stores, uint64_t number);

/* NULL is allowed. */
void stores_close(struct stores *stores);

/* A position in a list. There may be several. */
struct store_cursor;

/* Starts at the first allocation or store. `stores` must be finished and outlive *out, which
 * the caller owns (store_cursor_close). */
enum status store_cursor_open(struct store_cursor **out, const struct stores *stores,
                              struct failure *why) MUST_CHECK;

/* Sets *change to the next allocation or store. STATUS_END: there are no more. */
enum status store_cursor_next(struct store_cursor *cursor, struct heap_change *change,
                              struct failure *why) MUST_CHECK;

/* NULL is allowed. */
void store_cursor_close(struct store_cursor *cursor);

#endif
