/* SPDX-License-Identifier: MIT */
/* The graph does not outlive its moment, so the texts of rows are copied. They are few, so that
 * the page has room for them however many roots there are. */
#include "report/graph/run_held.h"

#include <stdlib.h>
#include <string.h>

#define HELD(key, unit, member) FIGURE(key, NULL, unit, 0, held_row, member)
#define HELD_IF(key, unit, member, condition)                                                  \
    FIGURE_IF(key, NULL, unit, 0, held_row, member, condition)

static const struct figure row_figures[] = {
    HELD("root", "word", root),
    HELD_IF("id", "id", id, has_id),
    HELD("objects", "objects", objects),
    HELD("bytes", "bytes", bytes),
    HELD_IF("largest", "bytes", largest, has_largest),
    HELD("path", "name", path),
    HELD("name", "name", name),
    FIGURES_END,
};

static const struct figure head_figures[] = {
    FIGURE("count", NULL, "count", 0, run_held, count),
    FIGURES_END,
};

static const struct section held_sections[] = {
    SECTION(LINES, "held", NULL, 0, 0, head_figures),
    SECTION(LIST, "held.holders", NULL, 0, 0, row_figures,
            .array = ARRAY_PART(run_held, rows, shown)),
    SECTIONS_END,
};

static enum status keep_row(void *context, const struct held_row *row, struct failure *why)
{
    struct run_held *held = context;
    struct held_row *kept = &held->rows[held->shown++];
    *kept = *row;
    kept->path = row->path ? strdup(row->path) : NULL;
    kept->name = row->name ? strdup(row->name) : NULL;
    bool is_kept = (kept->path || !row->path) && (kept->name || !row->name);
    return is_kept ? STATUS_OK : fail_memory(why);
}

enum status run_held_find(struct run_held *held, const struct heap_graph *graph,
                          const struct report_material *material, struct failure *why)
{
    const struct held_visitor visitor = {keep_row, held, RUN_HELD_ROWS};
    enum status status = held_visit(graph, material, &visitor, &held->count, why);
    held->part = (struct document_part){held_sections, held};
    return status;
}

void run_held_free(struct run_held *held)
{
    for (uint64_t i = 0; i < held->shown; i++) {
        free((char *)held->rows[i].path);
        free((char *)held->rows[i].name);
    }
}
