/* SPDX-License-Identifier: MIT */
/* The second reading of the log: events become records (etmerlin-formats(5), "What becomes of
 * the events"). */
#ifndef ETMERLIN_FORMATS_SELOGGER_MAPPING_H
#define ETMERLIN_FORMATS_SELOGGER_MAPPING_H

#include "base/status.h"
#include "formats/selogger/facts.h"
#include "formats/selogger/index/catalogue.h"
#include "formats/selogger/log.h"
#include "formats/selogger/survey.h"
#include "formats/selogger/threads.h"
#include "trace/batch.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Numbers of hidden fields, which no instruction of the program writes, begin here: those of
 * fields and indices are lower. Each holds the object whose id is added. */
#define HIDDEN_FIELDS (UINT64_C(1) << 40)

/* Set the first group; mapping_restart does the rest, mapping_free ends it. */
struct mapping {
    const struct catalogue *catalogue;
    const struct survey *survey;
    struct facts *facts;
    uint64_t last_object;  /* no object has a greater id */
    bool loads_as_updates; /* what a load finds in a field is stored there */
    bool escape_edges;     /* what an object outside the trace is given stays with it */

    struct threads threads;
    uint64_t number;  /* of the event, from 1 */
    size_t births;    /* NEW_OBJECTs so far */
    size_t failures;  /* failed stores so far */
    uint64_t *logged; /* objects that the present event logs for the first time */
    size_t logged_count;
    size_t logged_capacity;

    /* The present event, and where its records go. */
    struct sel_thread *thread;
    const struct sel_event *event;
    const struct instruction *instruction;
    struct batch *batch;
    struct failure *why;
};

/* Goes back to the first event. */
void mapping_restart(struct mapping *mapping);

/* Appends the records of the events to `batch`. */
enum status mapping_add(struct mapping *mapping, const struct sel_events *events,
                        struct batch *batch, struct failure *why) MUST_CHECK;

/* Releases what the mapping owns. */
void mapping_free(struct mapping *mapping);

#endif
