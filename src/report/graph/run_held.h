/* SPDX-License-Identifier: MIT */
/* Who holds the heap at the end of a run, for reports that show it among other things: the
 * first rows of --held. */
#ifndef ETMERLIN_REPORT_GRAPH_RUN_HELD_H
#define ETMERLIN_REPORT_GRAPH_RUN_HELD_H

#include "report/form/document.h"
#include "report/graph/held.h"

enum { RUN_HELD_ROWS = 10 };

/* Zero-initialize it; run_held_free ends it. */
struct run_held {
    struct held_row
        rows[RUN_HELD_ROWS + 1]; /* that of several roots is the last; owns its texts */
    uint64_t shown;
    uint64_t count;            /* of all rows */
    struct document_part part; /* from run_held_find on */
};

/* Finds the rows of a complete graph. */
enum status run_held_find(struct run_held *held, const struct heap_graph *graph,
                          const struct report_material *material,
                          struct failure *why) MUST_CHECK;

void run_held_free(struct run_held *held);

#endif
