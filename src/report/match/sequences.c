/* SPDX-License-Identifier: MIT */
/* Patience diff, in rounds: anchors are found among long windows first, then among shorter ones
 * in the gaps that are left, and at last among single elements. What is left between anchors is
 * paired along edit paths of bounded cost. Long windows come first because elements of
 * allocation sequences repeat. Only an anchor after a long insertion leads past it. Pairs that
 * follow one another in both sequences are kept as one run, so that two equal sequences take
 * one run. */
#include "report/match/sequences.h"

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

/* How many elements at the end of the gap are equal. */
static size_t gap_common_suffix(const struct sequence_gap *gap)
{
    const uint32_t *end_a = gap->a + gap->count_a, *end_b = gap->b + gap->count_b;
    size_t most = gap_shorter(gap), length = 0;
    while (length < most && end_a[-1 - (ptrdiff_t)length] == end_b[-1 - (ptrdiff_t)length])
        length++;
    return length;
}

/* Pairs elements of a gap: by anchors, which are windows of `window` elements, or, if that is
 * 0, along edit paths. */
static enum status fill_gap(struct paired_runs *runs, const struct sequence_gap *gap,
                            size_t window, struct failure *why)
{
    return window > 0 ? anchors_add(runs, gap, window, why) : edit_path_add(runs, *gap, why);
}

/* Pairs what is equal at the beginning and at the end of a gap, and fills what lies between. */
static enum status align_gap(struct paired_runs *runs, const struct sequence_gap *gap,
                             size_t window, struct failure *why)
{
    size_t prefix = gap_common_prefix(gap);
    enum status status =
        paired_runs_add(runs, (struct paired_run){gap->at_a, gap->at_b, (uint32_t)prefix}, why);
    struct sequence_gap rest = gap_from(gap, prefix, prefix);
    size_t suffix = gap_common_suffix(&rest);
    rest.count_a -= suffix;
    rest.count_b -= suffix;
    if (status == STATUS_OK && rest.count_a > 0 && rest.count_b > 0)
        status = fill_gap(runs, &rest, window, why);
    const struct paired_run last = {rest.at_a + (uint32_t)rest.count_a,
                                    rest.at_b + (uint32_t)rest.count_b, (uint32_t)suffix};
    return status == STATUS_OK ? paired_runs_add(runs, last, why) : status;
}

/* Fills all gaps between the runs `known`; *runs gets these and what is found in the gaps. */
static enum status align_gaps(struct paired_runs *runs, const struct paired_runs *known,
                              const struct sequence_gap *both, size_t window,
                              const struct interrupt *interrupt, struct failure *why)
{
    size_t done_a = 0, done_b = 0;
    enum status status = STATUS_OK;
    for (size_t i = 0; i <= known->count && status == STATUS_OK; i++) {
        struct paired_run next = {(uint32_t)both->count_a, (uint32_t)both->count_b, 0};
        if (i < known->count)
            next = known->items[i];
        struct sequence_gap gap = gap_from(both, done_a, done_b);
        gap.count_a = next.a - done_a;
        gap.count_b = next.b - done_b;
        status = align_gap(runs, &gap, window, why);
        if (status == STATUS_OK)
            status = paired_runs_add(runs, next, why);
        if (status == STATUS_OK)
            status = interrupt_check(interrupt, why);
        done_a = (size_t)next.a + next.length;
        done_b = (size_t)next.b + next.length;
    }
    return status;
}

enum status sequences_align(struct paired_runs *runs, const struct sequence_gap *both,
                            const struct interrupt *interrupt, struct failure *why)
{
    static const size_t windows[] = {ANCHOR_WINDOW_MAX, 8, 1, 0};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < sizeof windows / sizeof *windows && status == STATUS_OK; i++) {
        struct paired_runs known = *runs;
        *runs = (struct paired_runs){.items = NULL};
        status = align_gaps(runs, &known, both, windows[i], interrupt, why);
        paired_runs_free(&known);
    }
    return status;
}
