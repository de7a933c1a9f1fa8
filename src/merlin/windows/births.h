/* SPDX-License-Identifier: MIT */
/* The first reading: finds where each object begins.
 *
 * A node begins at the first record that names its id, whether that allocates it or not, and at
 * an allocation of an id that is allocated already. Records that begin a node are marked. */
#ifndef ETMERLIN_MERLIN_WINDOWS_BIRTHS_H
#define ETMERLIN_MERLIN_WINDOWS_BIRTHS_H

#include "merlin/pass.h"
#include "trace/record_spool.h"

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

#endif
