/* SPDX-License-Identifier: MIT */
/* Batches are filled again and again, so their arrays only ever grow: after the largest batch
 * no memory is allocated any more. */
#include "trace/batch.h"

#include "base/memory.h"

#include <stdlib.h>

enum status batch_reserve(struct batch *batch, size_t records, size_t text, struct failure *why)
{
    struct record *more_records =
        array_grow(batch->records, &batch->capacity, records, sizeof *batch->records);
    if (!more_records)
        return fail_memory(why);
    batch->records = more_records;
    char *more_text = array_grow(batch->text, &batch->text_capacity, text, 1);
    if (!more_text)
        return fail_memory(why);
    batch->text = more_text;
    return STATUS_OK;
}

void batch_free(struct batch *batch)
{
    free(batch->records);
    free(batch->text);
    *batch = BATCH_EMPTY;
}
