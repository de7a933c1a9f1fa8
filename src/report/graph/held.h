/* SPDX-License-Identifier: MIT */
/* Who holds the heap: the objects that each root alone keeps alive. */
#ifndef ETMERLIN_REPORT_GRAPH_HELD_H
#define ETMERLIN_REPORT_GRAPH_HELD_H

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

struct held_visitor {
    enum status (*visit)(void *context, const struct held_row *row, struct failure *why);
    void *context;
    uint64_t most; /* so many rows are visited, and that of several roots, if there is one */
};

/* Visits the roots of a complete graph, those that hold most bytes first; the row of several
 * roots is the last. Sets *count to the number of all rows. A row is good until the visitor
 * returns; what that returns ends the visit if it is a failure. */
enum status held_visit(const struct heap_graph *graph, const struct report_material *material,
                       const struct held_visitor *visitor, uint64_t *count,
                       struct failure *why) MUST_CHECK;

#endif
