/* SPDX-License-Identifier: MIT */
/* The first reading: where each object begins.
 *
 * A node begins at the first record that names its id, whether that allocates it or not, and at
 * an allocation of an id that is allocated already. Records get marks of it. */
#ifndef ETMERLIN_MERLIN_WINDOWS_BIRTHS_H
#define ETMERLIN_MERLIN_WINDOWS_BIRTHS_H

#include "merlin/last_use.h"
#include "trace/record_spool.h"

/* Marks of records. */
enum {
    BIRTH_OF_FIRST = 1, /* its first id (receiver, container, ...) begins a node */
    BIRTH_OF_SECOND = 2 /* its second one (value or exception) */
};

struct births;

/* Records go to `records`, which must stay. The caller owns *out (births_close). */
enum status births_open(struct births **out, struct record_spool *records, bool explicit_time,
                        struct failure *why) MUST_CHECK;

/* Goes on with the records of `batch`. In the spool, `method` of E and X is the number of
 * frames that they pop, 0 if the method was not open. Deaths mean nothing and are counted. */
enum status births_add(struct births *births, const struct batch *batch,
                       struct failure *why) MUST_CHECK;

const struct trace_counts *births_counts(const struct births *births);

/* How many records there were, deaths not counted, and how many nodes have begun. */
uint64_t births_records(const struct births *births);
uint64_t births_nodes(const struct births *births);

/* When there are no more records: releases everything that the functions above do not need. */
void births_end(struct births *births);

/* NULL is allowed. */
void births_close(struct births *births);

#endif
