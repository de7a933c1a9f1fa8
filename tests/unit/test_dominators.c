/* SPDX-License-Identifier: MIT */
#include "report/graph/dominators.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

enum { NODES = 40, EDGES = 120 };

/* A graph. Edges are sorted by source: those of a node are from first[node] to before
 * first[node + 1]. */
struct made {
    size_t count, edge_count;
    node_t *targets;
    size_t *first;
};

static slot_t first_edge(const void *context, node_t node)
{
    const struct made *made = context;
    return made->first[node] < made->first[node + 1] ? (slot_t)(made->first[node] + 1) : 0;
}

static node_t next_target(const void *context, node_t node, slot_t *edge)
{
    const struct made *made = context;
    node_t target = made->targets[*edge - 1];
    *edge = *edge < made->first[node + 1] ? *edge + 1 : 0;
    return target;
}

static struct dominators find(const struct made *made)
{
    const struct dominators_graph graph = {
        .count = made->count, .first = first_edge, .next = next_target, .context = made};
    struct dominators dominators;
    struct failure why = {.status = STATUS_OK};
    expect_number(dominators_find(&dominators, &graph, &why), STATUS_OK);
    return dominators;
}

/* Marks the nodes that the root reaches on paths without `left_out`, which is not the root. */
static void reach(const struct made *made, node_t left_out, bool *is_reached)
{
    node_t list[NODES] = {0};
    size_t count = 1;
    memset(is_reached, 0, NODES * sizeof *is_reached);
    is_reached[0] = true;
    for (size_t at = 0; at < count; at++)
        for (size_t i = made->first[list[at]]; i < made->first[list[at] + 1]; i++) {
            node_t target = made->targets[i];
            if (is_reached[target] || target == left_out)
                continue;
            is_reached[target] = true;
            list[count++] = target;
        }
}

static bool dominates(const struct dominators *dominators, node_t above, node_t node)
{
    node_t wanted = dominators->numbers[above], at = dominators->numbers[node];
    while (at > wanted)
        at = dominators->immediate[at];
    return at == wanted;
}

/* Whether the dominators are those that follow from the definition, by leaving out each node.
 */
static bool is_right(const struct made *made)
{
    struct dominators dominators = find(made);
    bool all[NODES], without[NODES], is_good = true;
    reach(made, NODE_MAX, all);
    for (node_t i = 0; i < made->count; i++)
        is_good &= (dominators.numbers[i] != 0) == all[i] &&
                   (!all[i] || dominators.nodes[dominators.numbers[i]] == i);
    for (node_t i = 1; i < made->count && is_good; i++) {
        if (!all[i])
            continue;
        reach(made, i, without);
        for (node_t j = 1; j < made->count; j++)
            if (all[j] && j != i)
                is_good &= dominates(&dominators, i, j) == !without[j];
    }
    dominators_free(&dominators);
    return is_good;
}

static unsigned draw(uint64_t *state, unsigned below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((*state >> 33) % below);
}

/* In 1,000 graphs with few and with many edges, the root reaches what a node dominates on no
 * path without that node. */
Test(dominators, are_those_of_removal)
{
    uint64_t state = 1;
    for (unsigned round = 0; round < 1000; round++) {
        node_t targets[EDGES];
        size_t first[NODES + 1] = {0};
        struct made made = {1 + draw(&state, NODES - 1), 0, targets, first};
        unsigned most = 1 + draw(&state, 3);
        for (size_t i = 0; i < made.count; i++) {
            first[i] = made.edge_count;
            for (unsigned j = draw(&state, most + 1); j > 0 && made.count > 1; j--)
                targets[made.edge_count++] =
                    (node_t)(1 + draw(&state, (unsigned)made.count - 1));
        }
        first[made.count] = made.edge_count;
        if (!is_right(&made)) {
            expect_number(round, UINT64_MAX);
            return;
        }
    }
}

enum { LONG_LIST = 300000 };

/* A long list; each of its nodes refers to an object, to which the root refers, too. An
 * algorithm that walks up the list from each object takes too long, and a recursive one
 * overflows the stack. */
Test(dominators, of_a_long_list)
{
    struct made made = {.count = 2 * LONG_LIST + 1, .edge_count = 0};
    made.targets = malloc((3 * LONG_LIST + 1) * sizeof *made.targets);
    made.first = calloc(made.count + 1, sizeof *made.first);
    made.targets[made.edge_count++] = 1;
    for (node_t i = 1; i <= LONG_LIST; i++)
        made.targets[made.edge_count++] = LONG_LIST + i;
    for (node_t i = 1; i <= LONG_LIST; i++) {
        made.first[i] = made.edge_count;
        if (i < LONG_LIST)
            made.targets[made.edge_count++] = i + 1;
        made.targets[made.edge_count++] = LONG_LIST + i;
    }
    for (size_t i = LONG_LIST + 1; i <= made.count; i++)
        made.first[i] = made.edge_count;
    struct dominators dominators = find(&made);
    size_t wrong = dominators.reached != made.count;
    for (node_t i = 1; i <= LONG_LIST; i++) {
        wrong += dominators.immediate[dominators.numbers[i]] != dominators.numbers[i - 1];
        wrong += dominators.immediate[dominators.numbers[LONG_LIST + i]] != 1;
    }
    expect_number(wrong, 0);
    dominators_free(&dominators);
    free(made.targets);
    free(made.first);
}
