/* SPDX-License-Identifier: MIT */
/* All that the side files of a trace say. */
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

/* Which exceptions hold others: their causes, and what they suppressed. */
struct exceptions {
    struct map first;  /* exception -> number of the first that it holds in `objects`, + 1 */
    uint64_t *objects; /* 0 after the last one of each exception */
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

/* Reads the index and what there is next to it. The catalogue must stay where it is. */
enum status catalogue_load(struct catalogue *catalogue, const struct loading *loading,
                           struct failure *why) MUST_CHECK;

/* What the exception `object` holds, 0 after the last; NULL: nothing, or it is none. */
const uint64_t *catalogue_held_by(const struct catalogue *catalogue, uint64_t object);

/* Releases what the catalogue owns. */
void catalogue_free(struct catalogue *catalogue);

#endif
