/* SPDX-License-Identifier: MIT */
/* The graphs of the heap at the moments of a run. */
#ifndef ETMERLIN_REPORT_GRAPH_RUN_GRAPHS_H
#define ETMERLIN_REPORT_GRAPH_RUN_GRAPHS_H

#include "report/graph/heap_graph.h"
#include "report/report.h"

/* Zero-initialize it; run_graphs_free ends it. */
struct run_graphs {
    struct heap_graph *items[MOMENTS_MOST + 1]; /* by moment; NULL: not made, or dropped */
    size_t count;
};

/* Begins a graph for each moment that is `wanted`. With `keeps_ids`, graphs have the ids of
 * objects, and of sites that have names. *moments and *material must outlive *graphs. */
enum status run_graphs_open(struct run_graphs *graphs, const struct report_material *material,
                            const struct moments *moments, const bool *wanted, bool keeps_ids,
                            struct failure *why) MUST_CHECK;

/* Adds the next life to all graphs. */
enum status run_graphs_add(struct run_graphs *graphs, const struct life_facts *life,
                           struct failure *why) MUST_CHECK;

/* After all lives: reads the trace for the graph of moment number `moment`, and completes it.
 * STATUS_MEANING: the trace has changed since it was read first. */
enum status run_graphs_read(struct run_graphs *graphs, const struct report_material *material,
                            size_t moment, struct failure *why) MUST_CHECK;

/* Releases the graph of a moment, before the next one is read: otherwise all would be in memory
 * at the same time. */
void run_graphs_drop(struct run_graphs *graphs, size_t moment);

void run_graphs_free(struct run_graphs *graphs);

#endif
