/* SPDX-License-Identifier: MIT */
/* The second reading of the log, in which events become records (etmerlin-formats(5), "How
 * events are converted"). */
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

/* Set the first group; mapping_restart sets the rest, and mapping_free ends it. */
struct mapping {
    struct emitter out; /* set its first group */
    const struct survey *survey;
    bool loads_as_updates; /* a load of an object from a field becomes a store of it there */
    bool escape_edges;     /* an object outside the program keeps what is passed to it */

    struct threads threads;
    uint64_t number; /* of the present event, from 1 */
    size_t births;   /* number of NEW_OBJECTs so far */
    size_t failures; /* number of failed stores so far */

    /* The present event. */
    struct sel_thread *thread;
    const struct sel_event *event;
    const struct instruction *instruction;
};

/* Starts again at the first event. */
void mapping_restart(struct mapping *mapping);

/* Appends the records of the events to `batch`. */
enum status mapping_add(struct mapping *mapping, const struct sel_events *events,
                        struct batch *batch, struct failure *why) MUST_CHECK;

/* Releases what the mapping owns. */
void mapping_free(struct mapping *mapping);

#endif
