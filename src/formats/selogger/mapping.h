/* SPDX-License-Identifier: MIT */
/* The second reading of the log: events become records (etmerlin-formats(5), "How events
 * are converted"). */
#ifndef ETMERLIN_FORMATS_SELOGGER_MAPPING_H
#define ETMERLIN_FORMATS_SELOGGER_MAPPING_H

#include "base/status.h"
#include "formats/selogger/emitter.h"
#include "formats/selogger/log.h"
#include "formats/selogger/survey.h"
#include "formats/selogger/threads.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Set the first group; mapping_restart does the rest, mapping_free ends it. */
struct mapping {
    struct emitter out; /* its first group */
    const struct survey *survey;
    bool loads_as_updates; /* what a load finds in a field is stored there */
    bool escape_edges;     /* what an object outside the trace is given stays with it */

    struct threads threads;
    uint64_t number; /* of the event, from 1 */
    size_t births;   /* NEW_OBJECTs so far */
    size_t failures; /* failed stores so far */

    /* The present event. */
    struct sel_thread *thread;
    const struct sel_event *event;
    const struct instruction *instruction;
};

/* Goes back to the first event. */
void mapping_restart(struct mapping *mapping);

/* Appends the records of the events to `batch`. */
enum status mapping_add(struct mapping *mapping, const struct sel_events *events,
                        struct batch *batch, struct failure *why) MUST_CHECK;

/* Releases what the mapping owns. */
void mapping_free(struct mapping *mapping);

#endif
