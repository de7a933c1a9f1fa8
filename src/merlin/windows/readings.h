/* SPDX-License-Identifier: MIT */
/* The three readings of windows: what the functions of windows.c call. windows.h says why there
 * are three. */
#ifndef ETMERLIN_MERLIN_WINDOWS_READINGS_H
#define ETMERLIN_MERLIN_WINDOWS_READINGS_H

#include "io/temporary/numbers.h"
#include "merlin/deaths.h"
#include "merlin/lives/stored_lives.h"
#include "merlin/pass.h"
#include "trace/record_spool.h"

/* The first reading finds where each object begins (births.c). A node begins at the first
 * record that names its id, whether that allocates it or not, and at an allocation of an id
 * that is allocated already. Records that begin a node are marked. */

/* Marks of records. */
enum {
    BIRTH_OF_FIRST = 1, /* the first id (receiver, container, ...) begins a node */
    BIRTH_OF_SECOND = 2 /* the second id (value or exception) begins a node */
};

struct births;

/* Begins the first reading. Records are added to `records`, which must outlive *out. The caller
 * owns *out (births_close). */
enum status births_open(struct births **out, struct record_spool *records, bool explicit_time,
                        struct failure *why) MUST_CHECK;

/* Reads the records of `batch`. In the spool, the `method` of an E or X is the number of frames
 * that it pops; 0: the method was not open. Deaths have no effect and are counted. */
enum status births_add(struct births *births, const struct batch *batch,
                       struct failure *why) MUST_CHECK;

const struct trace_counts *births_counts(const struct births *births);

/* How many records there were, deaths not counted, and how many nodes have begun. */
uint64_t births_records(const struct births *births);
uint64_t births_nodes(const struct births *births);

/* To be called after the last record: releases all that the functions above, other than
 * births_add, do not need. */
void births_end(struct births *births);

/* NULL is allowed. */
void births_close(struct births *births);

/* The second reading finds the last record that names each object (mentions.c). It goes
 * backward, so that it meets an object first where it is named last. Where the object begins,
 * the number of its last record is stored and forgotten: only objects between their first and
 * their last record are kept in memory. */

struct mentions;

/* The stacks to which the second reading adds what it finds. */
struct mentions_found {
    /* For each node the number, from 1, of the last record that names it; at the end the node
     * that begins first is on top. */
    struct number_stack *lasts;
    /* The number of each M record whose frame is abandoned (etmerlin-deaths(7)). NULL: it does
     * not matter, since frames hold nothing or hold until they are popped. */
    struct number_stack *abandoned;
    /* For each node the number that numbering.h gives it. NULL: they are not wanted. */
    struct number_stack *numbers;
};

/* Begins the second reading, of the records that `births` has counted. The stacks of *found
 * must outlive *out. With `explicit_time` all records are of one thread. The caller owns *out
 * (mentions_close). */
enum status mentions_open(struct mentions **out, const struct births *births,
                          bool explicit_time, const struct mentions_found *found,
                          struct failure *why) MUST_CHECK;

/* Reads the records of `batch`, from the last one to the first. */
enum status mentions_add(struct mentions *mentions, const struct batch *batch,
                         struct failure *why) MUST_CHECK;

/* NULL is allowed. */
void mentions_close(struct mentions *mentions);

/* The third reading finds what is dead at a boundary, and releases it (collect.c). The facts
 * that reports need of objects are kept while these live, and stored when they have died
 * (window_lives.c). */

struct window_lives;

/* Begins to keep the lives of `pass`, which must record uses and allocations and have no record
 * yet; they are added to `stored`, with causes and groups if `wants_causes`. Both must outlive
 * *out, which the caller owns (window_lives_close). */
enum status window_lives_open(struct window_lives **out, struct pass *pass, bool wants_causes,
                              struct stored_lives *stored, struct failure *why) MUST_CHECK;

/* Takes over the allocations that the pass has recorded since the last call; their records must
 * have had their details (record_spool.h), and the clock must know their ticks. STATUS_LIMIT:
 * the sum of all sizes does not fit 64 bits. */
enum status window_lives_note(struct window_lives *lives, struct failure *why) MUST_CHECK;

/* Stores the births since the latest collection, and the first `count` lives of `window`: its
 * deaths and, at the end of the trace, what survives. */
enum status window_lives_store(struct window_lives *lives, const struct deaths *window,
                               size_t count, struct failure *why) MUST_CHECK;

/* To be called before pass_move with `moved`: forgets what is released. */
void window_lives_move(struct window_lives *lives, const node_t *moved);

/* To be called after the last record, when everything has been stored. */
enum status window_lives_finish(struct window_lives *lives, struct failure *why) MUST_CHECK;

/* NULL is allowed. */
void window_lives_close(struct window_lives *lives);

/* Set the first four members; the others are zero at first. collecting_free ends it. */
struct collecting {
    struct pass *pass; /* as far as it has been read, up to a boundary */
    enum unallocated unallocated;
    struct number_stack *lasts; /* of nodes that have not begun yet */
    struct window_lives *lives; /* owned; NULL: lives are not kept */
    bool keeps_clock;           /* the times of ticks are not forgotten */
    uint64_t *last_mentions;    /* by node, for nodes before `known` */
    uint64_t *orders; /* by node: how many nodes the trace names before it; NULL: references are
                         not kept */
    size_t order_capacity;
    uint64_t named; /* how many nodes there have been */
    size_t known;
    size_t capacity;
    size_t live;    /* the weight of the heap and its frames after the latest collection */
    size_t trimmed; /* `live` when memory was last returned to the system */
};

/* Appends what has died since the latest collection to `deaths`, in the order of death records,
 * and releases it. */
enum status collect(struct collecting *collecting, struct stored_deaths *deaths,
                    struct failure *why) MUST_CHECK;

/* The collection after the last record of the trace, when nothing is named later: appends the
 * deaths and, after them, what is alive. Releases no object. */
enum status collect_last(struct collecting *collecting, struct stored_deaths *deaths,
                         struct failure *why) MUST_CHECK;

void collecting_free(struct collecting *collecting);

#endif
