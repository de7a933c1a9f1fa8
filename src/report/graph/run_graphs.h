/* SPDX-License-Identifier: MIT */
/* The graphs of the heap at the moments of a run. */
#ifndef ETMERLIN_REPORT_GRAPH_RUN_GRAPHS_H
#define ETMERLIN_REPORT_GRAPH_RUN_GRAPHS_H

#include "report/graph/heap_graph.h"
#include "report/report.h"

/* Zero-initialize it; run_graphs_free ends it. */
struct run_graphs {
    struct heap_graph *items[MOMENTS_MOST]; /* by moment; NULL: there is none */
    size_t count;
};

/* Makes a graph for each moment. `keeps_ids`: of objects, and of sites that have names.
 * *moments and *material must outlive *graphs. */
enum status run_graphs_open(struct run_graphs *graphs, const struct report_material *material,
                            const struct moments *moments, bool keeps_ids,
                            struct failure *why) MUST_CHECK;

/* Adds the next life to all. */
enum status run_graphs_add(struct run_graphs *graphs, const struct life_facts *life,
                           struct failure *why) MUST_CHECK;

/* All lives have been added: reads the trace for the graph of moment number `moment`, which is
 * complete then. */
enum status run_graphs_read(struct run_graphs *graphs, const struct report_material *material,
                            size_t moment, struct failure *why) MUST_CHECK;

/* Releases the graph of a moment, of which there is no more need: a graph takes more memory
 * than the reading for the next one takes time. */
void run_graphs_drop(struct run_graphs *graphs, size_t moment);

void run_graphs_free(struct run_graphs *graphs);

#endif
