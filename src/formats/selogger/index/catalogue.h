/* SPDX-License-Identifier: MIT */
/* Everything that the side files of a trace contain. */
#ifndef ETMERLIN_FORMATS_SELOGGER_INDEX_CATALOGUE_H
#define ETMERLIN_FORMATS_SELOGGER_INDEX_CATALOGUE_H

#include "base/map.h"
#include "base/status.h"
#include "base/symbols.h"
#include "formats/selogger/index/classes.h"
#include "formats/selogger/index/fields.h"
#include "formats/selogger/index/instructions.h"
#include "formats/selogger/index/loading.h"
#include "formats/selogger/index/types.h"

#include <stddef.h>
#include <stdint.h>

/* Which exceptions hold other exceptions: their causes, and those that they suppressed. */
struct exceptions {
    struct map first;  /* exception -> position in `objects` of the first that it holds, + 1 */
    uint64_t *objects; /* a 0 follows the last one of each exception */
    size_t count;
    size_t capacity;
};

/* Zero-initialize it; catalogue_free ends it. */
struct catalogue {
    struct symbols symbols;
    struct types types;
    struct classes classes;
    struct fields fields;
    struct instructions instructions;
    struct exceptions exceptions;
};

/* Reads the index and the side files that exist next to it. The catalogue must not be moved. */
enum status catalogue_load(struct catalogue *catalogue, const struct loading *loading,
                           struct failure *why) MUST_CHECK;

/* The objects that the exception `object` holds, and a 0 after them; NULL: it holds none, or is
 * no exception. */
const uint64_t *catalogue_held_by(const struct catalogue *catalogue, uint64_t object);

/* Releases what the catalogue owns. */
void catalogue_free(struct catalogue *catalogue);

#endif
