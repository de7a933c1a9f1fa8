/* SPDX-License-Identifier: MIT */
/* The algorithm of Lengauer and Tarjan ("A Fast Algorithm for Finding Dominators in a
 * Flowgraph", TOPLAS 1, 1979) with simple path compression. An iterative algorithm that walks
 * up the tree of dominators is shorter, but quadratic for long lists whose nodes are also held
 * elsewhere, and heaps have such lists.
 *
 * Arrays share memory where one is needed only until the other begins: the next edge of a node,
 * until the search leaves it, and its semidominator; the bucket of a node, until it is linked,
 * and its label from then on; the next node in a bucket, and the immediate dominator; the
 * parent, and the ancestor. Path compression turns links round on its way up, and so finds its
 * way back. */
#include "report/graph/dominators.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Interrupts are looked for after each so many nodes. */
enum { LOOK_EVERY = 1 << 16 };

struct search {
    const struct dominators_graph *graph;
    node_t *numbers; /* by node; all others by number */
    union {
        node_t *nodes;
        /* Where in `sources` the edges to a node begin; they end where those to the next begin.
         */
        node_t *starts;
    };
    union {
        slot_t *edges; /* the next edge to follow, in the search */
        node_t *semi;  /* dominators */
    };
    node_t *parents; /* in the tree of the search; then ancestors in the forest */
    /* Of linked nodes; of others the first node of the bucket, 0 if it is empty. */
    node_t *labels;
    node_t *immediate; /* dominators; of nodes in a bucket the next one */
    node_t *sources;   /* of edges, by target */
    node_t reached;
};

static enum status make_arrays(struct search *search, struct failure *why)
{
    size_t room = search->graph->count + 2;
    search->numbers = array_new(room, sizeof(node_t));
    search->nodes = array_new(room, sizeof(node_t));
    search->edges = array_new(room, sizeof(slot_t));
    search->parents = array_new(room, sizeof(node_t));
    search->labels = array_new(room, sizeof(node_t));
    search->immediate = array_new(room, sizeof(node_t));
    bool has_all = search->numbers && search->nodes && search->edges && search->parents &&
                   search->labels && search->immediate;
    return has_all ? STATUS_OK : fail_memory(why);
}

static enum status look(const struct search *search, size_t number, struct failure *why)
{
    return number % LOOK_EVERY == 0 ? interrupt_check(search->graph->interrupt, why)
                                    : STATUS_OK;
}

static void come_to(struct search *search, node_t node, node_t parent)
{
    const struct dominators_graph *graph = search->graph;
    node_t number = ++search->reached;
    search->numbers[node] = number;
    search->nodes[number] = node;
    search->parents[number] = parent;
    search->edges[number] = graph->first(graph->context, node);
}

/* Numbers the nodes that the root reaches, depth first. */
static enum status number_all(struct search *search, struct failure *why)
{
    const struct dominators_graph *graph = search->graph;
    come_to(search, 0, 0);
    for (node_t at = 1; at != 0;) {
        node_t target = NODE_NONE;
        if (search->edges[at] != 0)
            target = graph->next(graph->context, search->nodes[at], &search->edges[at]);
        if (target == NODE_NONE) {
            at = search->parents[at];
        } else if (search->numbers[target] == 0) {
            come_to(search, target, at);
            at = search->reached;
            TRY(look(search, at, why));
        }
    }
    return STATUS_OK;
}

/* Goes through the edges of all reached nodes. Without `sources`, counts those to each node.
 * With it, enters their sources downwards from where those to the next node begin. */
static enum status go_over_edges(struct search *search, size_t *count, struct failure *why)
{
    const struct dominators_graph *graph = search->graph;
    for (size_t i = 0; i < graph->count; i++) {
        node_t number = search->numbers[i], target;
        if (number == 0)
            continue;
        slot_t edge = graph->first(graph->context, (node_t)i);
        while (edge != 0 &&
               (target = graph->next(graph->context, (node_t)i, &edge)) != NODE_NONE) {
            node_t *start = &search->starts[search->numbers[target]];
            if (search->sources)
                search->sources[--*start] = number;
            else if (++*count > NODE_MAX)
                return fail(why, STATUS_LIMIT,
                            "There are more than %" PRIu64 " references at the moment",
                            (uint64_t)NODE_MAX);
            else
                ++*start;
        }
        TRY(look(search, i, why));
    }
    return STATUS_OK;
}

/* Lists the sources of the edges to each node. */
static enum status turn_edges(struct search *search, struct failure *why)
{
    size_t count = 0;
    memset(search->starts, 0, ((size_t)search->reached + 2) * sizeof *search->starts);
    TRY(go_over_edges(search, &count, why));
    for (node_t i = 1; i <= search->reached; i++)
        search->starts[i + 1] += search->starts[i];
    search->sources = array_new(count, sizeof *search->sources);
    return search->sources ? go_over_edges(search, &count, why) : fail_memory(why);
}

/* Finds the node with the least semidominator on the path from `number` up to a root of the
 * forest of linked nodes, without that root. Linked are the nodes from `linked` on. The path is
 * compressed. */
static node_t evaluate(struct search *search, node_t number, node_t linked)
{
    node_t *ancestors = search->parents, *labels = search->labels;
    const node_t *least = search->semi;
    node_t below = 0, at = number;
    while (ancestors[at] >= linked) {
        node_t above = ancestors[at];
        ancestors[at] = below;
        below = at;
        at = above;
    }
    node_t root = ancestors[at];
    while (below != 0) {
        node_t above = at;
        at = below;
        below = ancestors[at];
        ancestors[at] = root;
        if (least[labels[above]] < least[labels[at]])
            labels[at] = labels[above];
    }
    return labels[number];
}

/* The semidominator of a node; all nodes with greater numbers must be linked. */
static node_t find_semidominator(struct search *search, node_t number)
{
    node_t least = search->parents[number];
    for (node_t i = search->starts[number]; i < search->starts[number + 1]; i++) {
        node_t source = search->sources[i];
        if (source > number)
            source = search->semi[evaluate(search, source, number + 1)];
        if (source < least)
            least = source;
    }
    return least;
}

/* Links the node to its parent, and empties the bucket of the parent. */
static void link_node(struct search *search, node_t number)
{
    node_t parent = search->parents[number];
    node_t *bucket = &search->labels[search->semi[number]];
    search->immediate[number] = *bucket;
    *bucket = number;
    search->labels[number] = number;
    for (node_t next, member = search->labels[parent]; member != 0; member = next) {
        next = search->immediate[member];
        node_t least = evaluate(search, member, number);
        search->immediate[member] = search->semi[least] < search->semi[member] ? least : parent;
    }
    search->labels[parent] = 0;
}

static enum status find_immediate(struct search *search, struct failure *why)
{
    for (node_t i = search->reached; i > 1; i--) {
        search->semi[i] = find_semidominator(search, i);
        link_node(search, i);
        TRY(look(search, i, why));
    }
    for (node_t i = 2; i <= search->reached; i++)
        if (search->immediate[i] != search->semi[i])
            search->immediate[i] = search->immediate[search->immediate[i]];
    search->immediate[1] = 0;
    return STATUS_OK;
}

/* Sets `nodes` again, since its memory was used for `starts`. */
static void list_nodes(struct search *search)
{
    for (size_t i = 0; i < search->graph->count; i++)
        if (search->numbers[i] != 0)
            search->nodes[search->numbers[i]] = (node_t)i;
}

enum status dominators_find(struct dominators *dominators, const struct dominators_graph *graph,
                            struct failure *why)
{
    struct search search = {.graph = graph};
    enum status status = make_arrays(&search, why);
    if (status == STATUS_OK)
        status = number_all(&search, why);
    if (status == STATUS_OK)
        status = turn_edges(&search, why);
    if (status == STATUS_OK)
        status = find_immediate(&search, why);
    free(search.sources);
    free(search.labels);
    if (status == STATUS_OK)
        list_nodes(&search);
    *dominators = (struct dominators){
        .numbers = search.numbers,
        .nodes = search.nodes,
        .immediate = search.immediate,
        .spare = {search.edges, search.parents},
        .reached = search.reached,
    };
    return status;
}

void dominators_free(struct dominators *dominators)
{
    free(dominators->numbers);
    free(dominators->nodes);
    free(dominators->immediate);
    free(dominators->spare[0]);
    free(dominators->spare[1]);
}
