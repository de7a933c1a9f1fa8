/* Which exceptions hold others: their causes, and what they suppressed (selogger.md, section
 * 5, LOG$Exceptions). */
#ifndef ETMERLIN_FORMATS_SELOGGER_CAUSES_H
#define ETMERLIN_FORMATS_SELOGGER_CAUSES_H

#include "base/map.h"
#include "base/status.h"
#include "formats/selogger/loading.h"

#include <stddef.h>
#include <stdint.h>

/* Zero-initialize it; causes_free ends it. */
struct causes {
    struct map first;  /* exception -> place of the first that it holds, + 1 */
    uint64_t *objects; /* 0 behind the last one of each exception */
    size_t count;
    size_t capacity;
};

/* Reads what there is beside the index. */
enum status causes_load(struct causes *causes, const struct loading *loading,
                        struct failure *why) MUST_CHECK;

/* What the exception `object` holds, 0 behind the last; NULL: nothing, or it is none. */
const uint64_t *causes_of(const struct causes *causes, uint64_t object);

/* Releases what the causes own. */
void causes_free(struct causes *causes);

#endif
