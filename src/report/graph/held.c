/* SPDX-License-Identifier: MIT */
/* Static fields, methods with open frames, and what else holds objects are nodes between the
 * root of a graph and the objects. What such a node dominates would be dead without it. An
 * object that none of them dominates is held by several. The graph does not outlive its moment,
 * so a run copies the texts of rows. These are few, so that the page has room for them however
 * many roots there are. */
#include "report/graph/held.h"

#include "base/memory.h"
#include "report/form/value.h"
#include "report/graph/dominators.h"
#include "report/graph/heap_graph.h"
#include "report/lives/shown_name.h"
#include "report/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Who looks at rows. */
struct held_visitor {
    enum status (*visit)(void *context, const struct held_row *row, struct failure *why);
    void *context;
    uint64_t most; /* so many rows are visited, and that of several roots, if there is one */
};

/* Rows that retain equally many bytes are in this order. */
enum holder_kind {
    HOLDER_STATIC,   /* a static field */
    HOLDER_METHOD,   /* the open frames of a method */
    HOLDER_THREAD,   /* a thread that had no frame */
    HOLDER_IMMORTAL, /* --unallocated=immortal */
    HOLDER_SEVERAL   /* several of these together */
};

/* A reference from a holder to an object. */
struct hold {
    enum holder_kind kind;
    uint64_t id;
    node_t object;
};

struct holder {
    enum holder_kind kind;
    uint64_t id;
    size_t first; /* the index of its first hold */
    uint64_t objects, bytes;
    node_t largest; /* object; NODE_NONE: it retains none */
};

struct held {
    const struct report_material *material;
    const struct heap_graph *graph;
    struct hold *holds; /* by kind, id and object */
    size_t hold_count, hold_capacity;
    struct holder *holders; /* the last one is HOLDER_SEVERAL */
    size_t holder_count;    /* without the last one */
    struct dominators dominators;
    struct shown_name name;
};

/* A path with more than twice as many steps is shown without its middle: so many at its
 * beginning, and as many at its end. */
enum { STEPS_SHOWN = 8 };

static enum status add_hold(struct held *held, enum holder_kind kind, uint64_t id,
                            node_t object, struct failure *why)
{
    if (!ARRAY_RESERVE(held->holds, held->hold_capacity, held->hold_count + 1))
        return fail_memory(why);
    held->holds[held->hold_count++] = (struct hold){kind, id, object};
    return STATUS_OK;
}

static enum status add_root(struct held *held, const struct graph_root *root,
                            struct failure *why)
{
    if (root->kind == GRAPH_ROOT_DEAD)
        return STATUS_OK;
    if (root->kind == GRAPH_ROOT_SYSTEM)
        return add_hold(held, HOLDER_IMMORTAL, 0, root->object, why);
    const struct graph_thread *thread = &held->graph->threads[root->thread];
    if (root->frame == GRAPH_NONE)
        return add_hold(held, HOLDER_THREAD, thread->id, root->object, why);
    return add_hold(held, HOLDER_METHOD, thread->frames[root->frame].method, root->object, why);
}

static enum status add_holds(struct held *held, struct failure *why)
{
    const struct heap_graph *graph = held->graph;
    for (slot_t slot = graph->firsts[0]; slot != 0;) {
        uint64_t field;
        node_t target = graph_next(graph, &slot, &field);
        if (target != NODE_NONE)
            TRY(add_hold(held, HOLDER_STATIC, field, target, why));
    }
    for (size_t i = 0; i < graph->root_count; i++)
        TRY(add_root(held, &graph->roots[i], why));
    return STATUS_OK;
}

static int compare_holders(enum holder_kind a, uint64_t a_id, enum holder_kind b, uint64_t b_id)
{
    return a != b ? (a > b) - (a < b) : (a_id > b_id) - (a_id < b_id);
}

static int compare_holds(const void *left, const void *right)
{
    const struct hold *a = left, *b = right;
    int order = compare_holders(a->kind, a->id, b->kind, b->id);
    return order != 0 ? order : (a->object > b->object) - (a->object < b->object);
}

static bool is_of_next(const struct held *held, size_t hold)
{
    const struct hold *holds = held->holds;
    return hold == 0 || compare_holders(holds[hold - 1].kind, holds[hold - 1].id,
                                        holds[hold].kind, holds[hold].id) != 0;
}

static enum status find_holders(struct held *held, struct failure *why)
{
    size_t capacity = 0;
    TRY(add_holds(held, why));
    if (held->hold_count > 0)
        qsort(held->holds, held->hold_count, sizeof *held->holds, compare_holds);
    for (size_t i = 0; i <= held->hold_count; i++) {
        bool is_last = i == held->hold_count;
        if (!is_last && !is_of_next(held, i))
            continue;
        if (!ARRAY_RESERVE(held->holders, capacity, held->holder_count + 1))
            return fail_memory(why);
        struct holder *holders = held->holders;
        holders[held->holder_count] = (struct holder){.kind = HOLDER_SEVERAL, .first = i};
        if (is_last)
            break;
        holders[held->holder_count].kind = held->holds[i].kind;
        holders[held->holder_count++].id = held->holds[i].id;
    }
    bool has_room = held->graph->count < NODE_MAX - 2 - held->holder_count &&
                    held->hold_count < SLOT_MAX - 1;
    return has_room
               ? STATUS_OK
               : fail(why, STATUS_LIMIT, "--held has room for %" PRIu64 " objects and roots",
                      (uint64_t)NODE_MAX - 2);
}

/* Holders are the nodes after the objects. The edges of holders are numbers of holds, those of
 * the root numbers of holders, both from 1 on. */
static slot_t first_edge(const void *context, node_t node)
{
    const struct held *held = context;
    if (node == 0)
        return held->holder_count > 0;
    if (node < held->graph->count)
        return held->graph->firsts[node];
    return (slot_t)(held->holders[node - held->graph->count].first + 1);
}

static node_t next_target(const void *context, node_t node, slot_t *edge)
{
    const struct held *held = context;
    size_t count = held->graph->count;
    uint64_t field;
    if (node > 0 && node < count)
        return graph_next(held->graph, edge, &field);
    size_t at = *edge - 1;
    if (node == 0) {
        *edge = at + 1 < held->holder_count ? *edge + 1 : 0;
        return (node_t)(count + at);
    }
    *edge = at + 1 < held->holders[node - count + 1].first ? *edge + 1 : 0;
    return held->holds[at].object;
}

/* Whether an object is allocated by the trace, and alive. */
static bool is_alive(const struct heap_graph *graph, node_t object)
{
    unsigned flags = graph->flags[object];
    return flags & GRAPH_IS_ALLOCATED && !(flags & GRAPH_HAS_DIED);
}

static void retain(struct holder *holder, const struct heap_graph *graph, node_t node)
{
    if (!is_alive(graph, node))
        return;
    uint64_t size = graph_shape(graph, node).size;
    uint64_t largest = graph_shape(graph, holder->largest).size;
    holder->objects++;
    holder->bytes += size;
    if (holder->largest == NODE_NONE || size > largest ||
        (size == largest && node < holder->largest))
        holder->largest = node;
}

/* Adds each object to the holder that dominates it, or to HOLDER_SEVERAL. */
static void add_up(struct held *held)
{
    const struct dominators *dominators = &held->dominators;
    size_t count = held->graph->count;
    node_t *tops = dominators->spare[0];
    for (size_t i = 2; i <= dominators->reached; i++) {
        node_t above = dominators->immediate[i], node = dominators->nodes[i];
        tops[i] = above == 1 ? (node_t)i : tops[above];
        node_t top = dominators->nodes[tops[i]];
        if (node < count)
            retain(&held->holders[top < count ? held->holder_count : top - count], held->graph,
                   node);
    }
}

/* Orders holders by bytes, the most first; HOLDER_SEVERAL is last. */
static int compare_rows(const void *left, const void *right)
{
    const struct holder *a = left, *b = right;
    bool is_several = a->kind == HOLDER_SEVERAL || b->kind == HOLDER_SEVERAL;
    if (!is_several && a->bytes != b->bytes)
        return a->bytes > b->bytes ? -1 : 1;
    return compare_holders(a->kind, a->id, b->kind, b->id);
}

/* Lists the objects that dominate the largest object of a holder, from the outermost one to
 * that object itself, in spare[1]. Returns their number. */
static size_t list_path(struct held *held, node_t largest)
{
    const struct dominators *dominators = &held->dominators;
    node_t *path = dominators->spare[1];
    size_t length = 0;
    for (node_t at = dominators->numbers[largest]; at != 1; at = dominators->immediate[at])
        if (dominators->nodes[at] < held->graph->count)
            path[length++] = dominators->nodes[at];
    for (size_t i = 0; i < length / 2; i++) {
        node_t other = path[i];
        path[i] = path[length - 1 - i];
        path[length - 1 - i] = other;
    }
    return length;
}

static bool have_one_type(const struct heap_graph *graph, node_t a, node_t b)
{
    unsigned flag = GRAPH_IS_ALLOCATED;
    return graph_shape(graph, a).type == graph_shape(graph, b).type &&
           (graph->flags[a] & flag) == (graph->flags[b] & flag);
}

/* The end of the step at `at` of a path: of the objects of one type that follow one another. */
static size_t step_end(const struct held *held, size_t at, size_t length)
{
    const node_t *path = held->dominators.spare[1];
    size_t end = at + 1;
    while (end < length && have_one_type(held->graph, path[at], path[end]))
        end++;
    return end;
}

static bool print_step(FILE *stream, struct held *held, node_t node, size_t times)
{
    const struct heap_graph *graph = held->graph;
    const char *name = "(unallocated)";
    if (graph->flags[node] & GRAPH_IS_ALLOCATED)
        name = shown_name_of_id(&held->name, NAMES_TYPE, graph_shape(graph, node).type,
                                held->material->names);
    if (name && times > 1)
        fprintf(stream, "%s*%zu", name, times);
    else if (name)
        fputs(name, stream);
    return name;
}

static bool print_path(FILE *stream, struct held *held, size_t length)
{
    const node_t *path = held->dominators.spare[1];
    size_t steps = 0, step = 0;
    bool is_complete = true;
    for (size_t at = 0; at < length; at = step_end(held, at, length))
        steps++;
    for (size_t at = 0, end; at < length && is_complete; at = end, step++) {
        bool is_left_out = step >= STEPS_SHOWN && step + STEPS_SHOWN < steps;
        end = step_end(held, at, length);
        if (step > 0 && (!is_left_out || step == STEPS_SHOWN))
            fputs(" > ", stream);
        if (!is_left_out)
            is_complete = print_step(stream, held, path[at], end - at);
        else if (step == STEPS_SHOWN)
            fputs("...", stream);
    }
    return is_complete;
}

/* Makes the path to an object, which the caller owns (free). */
static enum status make_path(struct held *held, node_t largest, char **path,
                             struct failure *why)
{
    size_t size;
    FILE *stream = open_memstream(path, &size);
    bool is_complete = stream && print_path(stream, held, list_path(held, largest));
    if (stream && fclose(stream) != 0)
        is_complete = false;
    return is_complete ? STATUS_OK : fail_memory(why);
}

/* Sets *out to the name of a root, which is good until the next name is made; NULL: it has
 * none.
 */
static enum status make_name(struct held *held, const struct holder *holder, const char **out,
                             struct failure *why)
{
    const struct names *names = held->material->names;
    bool is_named = names && (holder->kind == HOLDER_STATIC || holder->kind == HOLDER_METHOD);
    *out = NULL;
    if (!is_named)
        return STATUS_OK;
    *out = shown_name_of_id(&held->name,
                            holder->kind == HOLDER_STATIC ? NAMES_FIELD : NAMES_METHOD,
                            holder->id, names);
    return *out ? STATUS_OK : fail_memory(why);
}

static enum status visit_row(struct held *held, const struct holder *holder,
                             const struct held_visitor *visitor, struct failure *why)
{
    static const char *const kinds[] = {
        [HOLDER_STATIC] = "static",     [HOLDER_METHOD] = "method",
        [HOLDER_THREAD] = "thread",     [HOLDER_IMMORTAL] = "immortal",
        [HOLDER_SEVERAL] = "(several)",
    };
    char *path = NULL;
    struct held_row row = {
        .root = kinds[holder->kind],
        .has_id = holder->kind < HOLDER_IMMORTAL,
        .id = holder->id,
        .objects = holder->objects,
        .bytes = holder->bytes,
        .has_largest = holder->largest != NODE_NONE,
    };
    enum status status = STATUS_OK;
    if (row.has_largest) {
        row.largest = graph_shape(held->graph, holder->largest).size;
        status = make_path(held, holder->largest, &path, why);
    }
    row.path = path;
    if (status == STATUS_OK)
        status = make_name(held, holder, &row.name, why);
    if (status == STATUS_OK)
        status = visitor->visit(visitor->context, &row, why);
    free(path);
    return status;
}

static enum status visit_rows(struct held *held, const struct held_visitor *visitor,
                              struct held_sums *all, struct failure *why)
{
    enum status status = STATUS_OK;
    add_up(held);
    size_t count = held->holder_count + (held->holders[held->holder_count].objects > 0);
    *all = (struct held_sums){.rows = count};
    for (size_t i = 0; i < count; i++)
        all->bytes += held->holders[i].bytes;
    qsort(held->holders, count, sizeof *held->holders, compare_rows);
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        if (i < visitor->most || held->holders[i].kind == HOLDER_SEVERAL)
            status = visit_row(held, &held->holders[i], visitor, why);
    return status;
}

/* Visits the roots of a complete graph, those that hold most bytes first; the row of several
 * roots is the last. Sets *all to the sums of all rows. A row is good until the visitor
 * returns; what that returns ends the visit if it is a failure. */
static enum status held_visit(const struct heap_graph *heap,
                              const struct report_material *material,
                              const struct held_visitor *visitor, struct held_sums *all,
                              struct failure *why)
{
    struct held held = {.material = material, .graph = heap};
    enum status status = find_holders(&held, why);
    const struct dominators_graph graph = {
        .count = heap->count + held.holder_count,
        .first = first_edge,
        .next = next_target,
        .context = &held,
        .interrupt = material->pass->interrupt,
    };
    if (status == STATUS_OK)
        status = dominators_find(&held.dominators, &graph, why);
    if (status == STATUS_OK)
        status = visit_rows(&held, visitor, all, why);
    dominators_free(&held.dominators);
    free(held.holds);
    free(held.holders);
    free(held.name.text);
    return status;
}

static enum status held_begin(struct report *report, struct failure *why)
{
    (void)why; /* the table keeps failures */
    table_names(&report->table, "root id objects bytes largest path");
    if (report->material->names)
        table_names(&report->table, "name");
    table_end_row(&report->table);
    return STATUS_OK;
}

static enum status put_row(void *context, const struct held_row *row, struct failure *why)
{
    struct report *report = context;
    struct table *table = &report->table;
    (void)why; /* the table keeps failures */
    table_text(table, row->root);
    value_put(table, value_number_if(row->has_id, row->id));
    table_number(table, row->objects);
    table_number(table, row->bytes);
    value_put(table, value_number_if(row->has_largest, row->largest));
    value_put(table, value_text(row->path));
    if (report->material->names)
        value_put(table, value_text(row->name));
    table_end_row(table);
    return table->status;
}

static enum status held_finish(struct report *report, struct failure *why)
{
    const struct held_visitor visitor = {put_row, report, UINT64_MAX};
    struct held_sums all;
    return held_visit(report->graph, report->material, &visitor, &all, why);
}

const struct report_class held_report = {.is_table = true,
                                         .traits = TRAIT_NAMES,
                                         .of = OF_THE_END,
                                         .begin = held_begin,
                                         .finish = held_finish};

static void put_held(struct form *form, const void *subject)
{
    const struct run_held *held = subject;
    form_lines(form, "held", NULL, 0, 0);
    form_put(form, "count", "count", value_number(held->all.rows));
    form_put(form, "bytes", "bytes", value_number(held->all.bytes));
    form_list(form, "held.holders", NULL, 0);
    for (uint64_t i = 0; form_next(form, i, held->shown); i++) {
        const struct held_row *row = &held->rows[i];
        form_item(form);
        form_put(form, "root", "word", value_text(row->root));
        form_put(form, "id", "id", value_number_if(row->has_id, row->id));
        form_put(form, "objects", "objects", value_number(row->objects));
        form_put(form, "bytes", "bytes", value_number(row->bytes));
        form_put(form, "largest", "bytes", value_number_if(row->has_largest, row->largest));
        form_put(form, "path", "name", value_text(row->path));
        form_put(form, "name", "name", value_text(row->name));
    }
}

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
    enum status status = held_visit(graph, material, &visitor, &held->all, why);
    held->part = (struct form_part){put_held, held, held->shown};
    return status;
}

void run_held_free(struct run_held *held)
{
    for (uint64_t i = 0; i < held->shown; i++) {
        free((char *)held->rows[i].path);
        free((char *)held->rows[i].name);
    }
}
