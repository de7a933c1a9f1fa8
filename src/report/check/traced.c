/* SPDX-License-Identifier: MIT */
/* Sizes are kept as sums, so that the bytes between two allocations are a difference. The
 * numbers of records ascend, so that a position in the trace is found by bisection. */
#include "report/check/traced.h"

#include "base/memory.h"

#include <stdlib.h>

static enum status traced_add_allocation(struct traced *traced, const struct record *record,
                                         struct failure *why)
{
    size_t number = traced->passed++;
    if (record_is_prior(record->kind))
        return STATUS_OK;
    if (!ARRAY_RESERVE(traced->allocations, traced->capacity, traced->count + 1))
        return fail_memory(why);
    struct traced_allocation allocation = {
        .number = number, .object = record->object, .record = traced->lines.records};
    if (__builtin_add_overflow(traced_bytes(traced, traced->count), record->size,
                               &allocation.bytes))
        return fail(why, STATUS_LIMIT, "More than 2^64-1 bytes are allocated");
    traced->allocations[traced->count++] = allocation;
    return STATUS_OK;
}

enum status traced_add(struct traced *traced, const struct batch *batch, struct failure *why)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < batch->count && status == STATUS_OK; i++) {
        const struct record *record = &batch->records[i];
        if (record->kind == RECORD_DEATH)
            continue;
        status = line_map_add(&traced->lines, batch->first_line + record->line, why);
        if (status == STATUS_OK && record_is_allocation(record->kind))
            status = traced_add_allocation(traced, record, why);
    }
    return status;
}

uint64_t traced_bytes(const struct traced *traced, size_t count)
{
    return count > 0 ? traced->allocations[count - 1].bytes : 0;
}

uint64_t traced_size(const struct traced *traced, size_t allocation)
{
    return traced_bytes(traced, allocation + 1) - traced_bytes(traced, allocation);
}

uint64_t traced_line(const struct traced *traced, size_t allocation)
{
    return line_map_line(&traced->lines, traced->allocations[allocation].record);
}

size_t traced_made(const struct traced *traced, uint64_t records)
{
    size_t low = 0, high = traced->count;
    BISECT(low, high, at, traced->allocations[at].record <= records);
    return low;
}

void traced_free(struct traced *traced)
{
    free(traced->allocations);
    line_map_free(&traced->lines);
    *traced = (struct traced){.allocations = NULL};
}
