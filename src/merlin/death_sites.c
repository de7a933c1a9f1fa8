/* SPDX-License-Identifier: MIT */
/* A use happens in a context, whose number is kept for each open frame: so it is found once a
 * call, from that of the caller, and a return finds that of the caller in its place. What is
 * kept of a node is written over as it lives: before its allocation the thread that named it
 * first, then the number of open frames, then, when it has died, how many of these it has
 * outlived. */
#include "merlin/death_sites.h"

#include "base/memory.h"
#include "heap/frame_exits.h"

#include <stdlib.h>
#include <string.h>

#define SHARED_BIT (UINT32_C(1) << 31)
#define ALLOCATED_BIT (UINT32_C(1) << 30)
#define NUMBER_MASK DEATH_SITES_NO_FRAMES

/* What is kept of a node. */
struct node_site {
    uint32_t context; /* of its last use so far */
    /* The bits, and a number: before its allocation that of the thread that named it first,
     * plus one (0: none has), then of frames. */
    uint32_t marks;
};

/* The contexts of the open frames of a thread, the outermost first; what was open stays behind
 * them until it is written over. */
struct context_stack {
    uint32_t *contexts;
    size_t capacity;
};

struct death_sites {
    struct contexts *contexts;
    struct context_stack *stacks; /* by thread */
    size_t stack_count;
    size_t stack_capacity;
    uint32_t context; /* of the present record */
    bool has_threads; /* there are several */
    struct node_site *nodes;
    size_t capacity;
    struct frame_exits *exits;
};

enum status death_sites_new(struct death_sites **out, unsigned depth, struct failure *why)
{
    struct death_sites *sites = calloc(1, sizeof *sites);
    if (!sites)
        return fail_memory(why);
    enum status status = frame_exits_new(&sites->exits, why);
    if (status == STATUS_OK && depth > 0)
        status = contexts_new(&sites->contexts, depth, why);
    if (status == STATUS_OK)
        *out = sites;
    else
        death_sites_free(sites);
    return status;
}

enum status death_sites_reserve(struct death_sites *sites, size_t nodes, struct failure *why)
{
    size_t had = sites->nodes ? sites->capacity : 0;
    struct node_site *all = array_grow(sites->nodes, &sites->capacity, nodes, sizeof *all);
    if (!all)
        return fail_memory(why);
    sites->nodes = all;
    if (sites->capacity > had)
        memset(all + had, 0, (sites->capacity - had) * sizeof *all);
    return STATUS_OK;
}

/* The context of open frame number `frame` of a thread, from 1 on; 0: of none. */
static uint32_t context_of_frame(const struct death_sites *sites, uint32_t thread, size_t frame)
{
    return frame == 0 ? 0 : sites->stacks[thread].contexts[frame - 1];
}

void death_sites_follow(struct death_sites *sites, const struct frames *frames, uint32_t thread)
{
    sites->has_threads |= thread > 0;
    if (sites->contexts)
        sites->context = context_of_frame(sites, thread, frames_depth(frames, thread));
}

static enum status find_stack(struct death_sites *sites, uint32_t thread,
                              struct context_stack **stack, struct failure *why)
{
    struct context_stack *stacks =
        array_grow(sites->stacks, &sites->stack_capacity, (size_t)thread + 1, sizeof *stacks);
    if (!stacks)
        return fail_memory(why);
    sites->stacks = stacks;
    while (sites->stack_count <= thread)
        stacks[sites->stack_count++] = (struct context_stack){.contexts = NULL};
    *stack = &stacks[thread];
    return STATUS_OK;
}

enum status death_sites_enter(struct death_sites *sites, const struct frames *frames,
                              uint32_t thread, uint64_t method, struct failure *why)
{
    struct context_stack *stack;
    size_t depth = frames_depth(frames, thread);
    if (!sites->contexts)
        return STATUS_OK;
    enum status status = find_stack(sites, thread, &stack, why);
    if (status != STATUS_OK)
        return status;
    uint32_t *contexts =
        array_grow(stack->contexts, &stack->capacity, depth + 1, sizeof *contexts);
    if (!contexts)
        return fail_memory(why);
    stack->contexts = contexts;
    status = contexts_enter(sites->contexts, sites->context, method, &contexts[depth], why);
    sites->context = contexts[depth];
    return status;
}

enum status death_sites_leave(struct death_sites *sites, const struct frames *frames,
                              uint32_t thread, uint64_t tick, struct failure *why)
{
    size_t depth = frames_depth(frames, thread);
    if (sites->contexts)
        sites->context = context_of_frame(sites, thread, depth + 1);
    /* What is deeper than that has no births: death_sites_birth refuses them. */
    return depth < NUMBER_MASK
               ? frame_exits_leave(sites->exits, thread, (uint32_t)depth, tick, why)
               : STATUS_OK;
}

enum status death_sites_birth(struct death_sites *sites, const struct frames *frames,
                              uint32_t thread, node_t node, bool adopted, struct failure *why)
{
    struct node_site *site = &sites->nodes[node];
    size_t depth = frames_depth(frames, thread);
    if (depth >= NUMBER_MASK || frames_thread_count(frames) >= NUMBER_MASK)
        return fail(why, STATUS_LIMIT,
                    "The trace has more than %u frames or threads: no report can tell how many "
                    "an object outlives",
                    NUMBER_MASK - 1);
    bool is_shared = adopted && site->marks != thread + 1;
    site->marks = ALLOCATED_BIT | (is_shared ? SHARED_BIT : 0) | (uint32_t)depth;
    return frame_exits_birth(sites->exits, thread, (uint32_t)depth, why);
}

/* Thread number `thread` names a node by its id. */
static void note_name(struct death_sites *sites, const struct objects *objects, uint32_t thread,
                      node_t node)
{
    uint32_t *marks = &sites->nodes[node].marks;
    bool is_same = *marks & ALLOCATED_BIT
                       ? !sites->has_threads || objects_thread(objects, node) == thread
                       : *marks == 0 || (*marks & NUMBER_MASK) == thread + 1;
    if (*marks == 0)
        *marks = thread + 1;
    else if (!is_same)
        *marks |= SHARED_BIT;
}

void death_sites_use(struct death_sites *sites, const struct objects *objects, uint32_t thread,
                     node_t node, bool is_named)
{
    if (node == NODE_NONE)
        return;
    sites->nodes[node].context = sites->context;
    if (is_named)
        note_name(sites, objects, thread, node);
}

void death_sites_move(struct death_sites *sites, const node_t *moved, size_t nodes)
{
    size_t staying = 1;
    for (size_t node = 1; node < nodes; node++)
        if (moved[node] != NODE_NONE)
            sites->nodes[staying++] = sites->nodes[node];
    memset(sites->nodes + staying, 0, (nodes - staying) * sizeof *sites->nodes);
}

enum status death_sites_die(struct death_sites *sites, const struct objects *objects,
                            node_t node, uint64_t birth, uint64_t death, struct failure *why)
{
    uint32_t *marks = &sites->nodes[node].marks, depth = *marks & NUMBER_MASK;
    enum status status = frame_exits_pass(sites->exits, death == 0 ? 0 : death - 1, why);
    uint32_t still_open =
        frame_exits_still_open(sites->exits, objects_thread(objects, node), depth, birth);
    *marks &= ~NUMBER_MASK;
    *marks |= depth == 0 ? DEATH_SITES_NO_FRAMES : depth - still_open;
    return status;
}

enum status death_sites_pass(struct death_sites *sites, uint64_t tick, struct failure *why)
{
    enum status status = frame_exits_pass(sites->exits, tick, why);
    frame_exits_restart(sites->exits);
    return status;
}

const struct contexts *death_sites_contexts(const struct death_sites *sites)
{
    return sites->contexts;
}

uint32_t death_sites_context(const struct death_sites *sites, node_t node)
{
    return sites->nodes[node].context;
}

bool death_sites_is_shared(const struct death_sites *sites, node_t node)
{
    return sites->nodes[node].marks & SHARED_BIT;
}

uint32_t death_sites_outlived(const struct death_sites *sites, node_t node)
{
    return sites->nodes[node].marks & NUMBER_MASK;
}

void death_sites_free(struct death_sites *sites)
{
    if (!sites)
        return;
    for (size_t i = 0; i < sites->stack_count; i++)
        free(sites->stacks[i].contexts);
    free(sites->stacks);
    free(sites->nodes);
    contexts_free(sites->contexts);
    frame_exits_free(sites->exits);
    free(sites);
}
