/* SPDX-License-Identifier: MIT */
/* Pairs that follow one another in both sequences are kept as one run, so that two equal
 * sequences take one run. */
#include "report/match/paired_runs.h"

#include "base/memory.h"

#include <stdlib.h>

enum status paired_runs_add(struct paired_runs *runs, struct paired_run run,
                            struct failure *why)
{
    if (run.length == 0)
        return STATUS_OK;
    struct paired_run *last = runs->count > 0 ? &runs->items[runs->count - 1] : NULL;
    if (last && last->a + last->length == run.a && last->b + last->length == run.b) {
        last->length += run.length;
        return STATUS_OK;
    }
    if (!ARRAY_RESERVE(runs->items, runs->capacity, runs->count + 1))
        return fail_memory(why);
    runs->items[runs->count++] = run;
    return STATUS_OK;
}

void paired_runs_free(struct paired_runs *runs)
{
    free(runs->items);
    *runs = (struct paired_runs){.items = NULL};
}

static size_t gap_shorter(const struct sequence_gap *gap)
{
    return gap->count_a < gap->count_b ? gap->count_a : gap->count_b;
}

size_t gap_common_prefix(const struct sequence_gap *gap)
{
    size_t most = gap_shorter(gap), length = 0;
    while (length < most && gap->a[length] == gap->b[length])
        length++;
    return length;
}

size_t gap_common_suffix(const struct sequence_gap *gap)
{
    const uint32_t *end_a = gap->a + gap->count_a, *end_b = gap->b + gap->count_b;
    size_t most = gap_shorter(gap), length = 0;
    while (length < most && end_a[-1 - (ptrdiff_t)length] == end_b[-1 - (ptrdiff_t)length])
        length++;
    return length;
}
