/* SPDX-License-Identifier: MIT */
/* Batches are filled again and again, so their arrays only grow: once the largest batch has
 * been read, no more memory is allocated. */
#include "trace/batch.h"

#include "base/memory.h"

#include <stdlib.h>

enum status batch_reserve(struct batch *batch, size_t records, size_t text, struct failure *why)
{
    return ARRAY_RESERVE(batch->records, batch->capacity, records) &&
                   ARRAY_RESERVE(batch->text, batch->text_capacity, text)
               ? STATUS_OK
               : fail_memory(why);
}

void batch_free(struct batch *batch)
{
    free(batch->records);
    free(batch->text);
    *batch = BATCH_EMPTY;
}
