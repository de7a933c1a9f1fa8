/* SPDX-License-Identifier: MIT */
/* A version of etmerlin that prints a line on standard error for each minor collection of a
 * simulated heap: collector, heap, tenure and bytes promoted. It has the program's own object
 * files, except that this file includes simulated.c, with the collection under another name.
 */
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
