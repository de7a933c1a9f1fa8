/* SPDX-License-Identifier: MIT */
/* Which exceptions hold others: their causes, and what they suppressed (etmerlin-formats(5),
 * SELOGGER: LOG$Exceptions). */
#ifndef ETMERLIN_FORMATS_SELOGGER_INDEX_EXCEPTIONS_H
#define ETMERLIN_FORMATS_SELOGGER_INDEX_EXCEPTIONS_H

#include "base/map.h"
#include "base/status.h"
#include "formats/selogger/index/loading.h"

#include <stddef.h>
#include <stdint.h>

/* Zero-initialize it; exceptions_free ends it. */
struct exceptions {
    struct map first;  /* exception -> place of the first that it holds, + 1 */
    uint64_t *objects; /* 0 after the last one of each exception */
    size_t count;
    size_t capacity;
};

/* Reads what there is next to the index. */
enum status exceptions_load(struct exceptions *exceptions, const struct loading *loading,
                            struct failure *why) MUST_CHECK;

/* What the exception `object` holds, 0 after the last; NULL: nothing, or it is none. */
const uint64_t *exceptions_held_by(const struct exceptions *exceptions, uint64_t object);

/* Releases what the exceptions own. */
void exceptions_free(struct exceptions *exceptions);

#endif
