/* SPDX-License-Identifier: MIT */
/* Who holds the heap: the objects that each root alone keeps alive; and the first rows of that
 * at the end of a run, for reports that show it among other things. */
#ifndef ETMERLIN_REPORT_GRAPH_HELD_H
#define ETMERLIN_REPORT_GRAPH_HELD_H

#include "report/form/form.h"
#include "report/graph/heap_graph.h"
#include "report/report.h"

/* A root, or several together, and what would be dead without it. */
struct held_row {
    const char *root; /* static, method, thread, immortal or (several) */
    bool has_id;
    uint64_t id; /* of the field, method or thread */
    uint64_t objects, bytes;
    bool has_largest;
    uint64_t largest; /* size of its largest object */
    const char *path; /* the types on the way to that object; NULL: it has none */
    const char *name; /* of the field or method; NULL: none, or there are no names */
};

/* Of all rows: how many they are, and the bytes of all objects that are alive. */
struct held_sums {
    uint64_t rows;
    uint64_t bytes;
};

enum { RUN_HELD_ROWS = 10 };

/* Zero-initialize it; run_held_free ends it. */
struct run_held {
    struct held_row
        rows[RUN_HELD_ROWS + 1]; /* that of several roots is the last; owns its texts */
    uint64_t shown;
    struct held_sums all;
    struct form_part part; /* from run_held_find on */
};

/* Finds the rows of a complete graph. */
enum status run_held_find(struct run_held *held, const struct heap_graph *graph,
                          const struct report_material *material,
                          struct failure *why) MUST_CHECK;

void run_held_free(struct run_held *held);

#endif
