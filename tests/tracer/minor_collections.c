/* SPDX-License-Identifier: MIT */
/* etmerlin that also prints, on standard error, what each minor collection of a simulated heap
 * promotes: its collector, heap, tenure and bytes. Made from the program's own objects but for
 * simulated.c, which this file has instead, with the collection under another name. */
#define simulated_collect_minor collect_minor
#include "report/simulate/simulated.c"
#undef simulated_collect_minor

#include <inttypes.h>
#include <stdio.h>

void simulated_collect_minor(struct simulated *heap, const struct live_parts *live,
                             uint64_t number);

void simulated_collect_minor(struct simulated *heap, const struct live_parts *live,
                             uint64_t number)
{
    wide_sum before = heap->promoted;
    collect_minor(heap, live, number);
    fprintf(stderr, "%s\t%" PRIu64 "\t%u\t%" PRIu64 "\n", collector_words[heap->collector],
            heap->heap, heap->tenure, (uint64_t)(heap->promoted - before));
}
