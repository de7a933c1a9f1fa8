/* SPDX-License-Identifier: MIT */
/* Lives come before the records, and each leaves two bits in every graph, by its number. Then
 * the trace is read once for each moment, so that only one graph at a time has its objects and
 * references in memory. */
#include "report/graph/heap_graph.h"

#include "base/memory.h"
#include "trace/readahead.h"

enum status run_graphs_open(struct run_graphs *graphs, const struct report_material *material,
                            const struct moments *moments, const bool *wanted, bool keeps_ids,
                            struct failure *why)
{
    struct graph_options options = {
        .with_dead = material->settings->with_dead,
        .assumptions = material->assumptions,
        .explicit_time = material->pass->explicit_time,
        .ticks_by_time = material->reader->methods->holds_lifetimes,
        .are_numbered = material->are_numbered,
        .keeps_ids = keeps_ids,
        .lives = life_stream_summary(material->stream)->lives,
        .site_names = keeps_ids ? material->names : NULL,
    };
    enum status status = STATUS_OK;
    for (size_t i = 0; i < moments->count && status == STATUS_OK; i++) {
        options.moment = &moments->items[i];
        if (wanted[i])
            status = heap_graph_new(&graphs->items[i], &options, why);
        graphs->count = i + 1;
    }
    return status;
}

void run_graphs_add(struct run_graphs *graphs, const struct life_facts *life)
{
    for (size_t i = 0; i < graphs->count; i++)
        if (graphs->items[i])
            heap_graph_see_life(graphs->items[i], life);
}

struct graph_reading {
    struct heap_graph *graph;
    struct numbering *numbering;
    const struct interrupt *interrupt;
};

static enum status read_batch(void *context, const struct batch *batch, struct failure *why)
{
    struct graph_reading *reading = context;
    TRY(interrupt_check(reading->interrupt, why));
    return heap_graph_read(reading->graph, reading->numbering, batch, why);
}

enum status run_graphs_read(struct run_graphs *graphs, const struct report_material *material,
                            size_t moment, struct failure *why)
{
    struct graph_reading reading = {.graph = graphs->items[moment],
                                    .interrupt = material->pass->interrupt};
    TRY(engine_numbering(material->run, &reading.numbering, why));
    reader_rewind(material->reader, NULL);
    enum status status =
        readahead_visit(material->reader, material->engine->threads, read_batch, &reading, why);
    numbering_free(reading.numbering);
    status = reader_check(material->reader, status, material->digest, why);
    return status == STATUS_OK ? heap_graph_finish(reading.graph, why) : status;
}

void run_graphs_drop(struct run_graphs *graphs, size_t moment)
{
    heap_graph_free(graphs->items[moment]);
    graphs->items[moment] = NULL;
    memory_trim();
}

void run_graphs_free(struct run_graphs *graphs)
{
    for (size_t i = 0; i < graphs->count; i++)
        heap_graph_free(graphs->items[i]);
}
