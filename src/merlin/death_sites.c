/* SPDX-License-Identifier: MIT */
/* Each use is in a path. The path is kept for each open frame, so it is looked up only once a
 * call, from that of the caller, nearly always in a cache; a return finds that of the caller on
 * the stack.
 *
 * What is kept of a node is a number whose meaning changes during its life: before its
 * allocation, the thread that named it first; from then on, how many frames were open at its
 * allocation; after its death, how many of these it has outlived. */
#include "merlin/death_sites_inline.h"

#include "base/hash.h"
#include "base/memory.h"
#include "heap/frame_exits.h"

#include <stdlib.h>
#include <string.h>

enum status death_sites_new(struct death_sites **out, struct contexts *contexts,
                            const struct temporary_folder *temporary, struct failure *why)
{
    struct death_sites *sites = calloc(1, sizeof *sites);
    if (!sites)
        return fail_memory(why);
    sites->contexts = contexts;
    sites->thread = NO_THREAD;
    enum status status = frame_exits_new(&sites->exits, temporary, why);
    if (status == STATUS_OK && contexts) {
        sites->calls = array_new((size_t)1 << CALL_CACHE_BITS, sizeof *sites->calls);
        status = sites->calls ? STATUS_OK : fail_memory(why);
    }
    if (status == STATUS_OK)
        *out = sites;
    else
        death_sites_free(sites);
    return status;
}

/* Memory beyond the nodes is not touched, so that the system need not provide it yet. */
enum status death_sites_reserve(struct death_sites *sites, size_t nodes, struct failure *why)
{
    if (!ARRAY_RESERVE(sites->nodes, sites->capacity, nodes))
        return fail_memory(why);
    struct node_site *all = sites->nodes;
    if (nodes > sites->node_count) {
        memset(all + sites->node_count, 0, (nodes - sites->node_count) * sizeof *all);
        sites->node_count = nodes;
    }
    return STATUS_OK;
}

/* Makes room for the stack of a thread. */
static enum status reserve_stack(struct death_sites *sites, uint32_t thread,
                                 struct failure *why)
{
    if (!ARRAY_RESERVE(sites->stacks, sites->stack_capacity, (size_t)thread + 1))
        return fail_memory(why);
    while (sites->stack_count <= thread)
        sites->stacks[sites->stack_count++] = (struct path_stack){.paths = NULL};
    return STATUS_OK;
}

/* Makes room for the path of a thread's frame number `depth`, from 0. */
static enum status reserve_path(struct death_sites *sites, uint32_t thread, size_t depth,
                                struct failure *why)
{
    enum status status = reserve_stack(sites, thread, why);
    if (status != STATUS_OK)
        return status;
    struct path_stack *stack = &sites->stacks[thread];
    return ARRAY_RESERVE(stack->paths, stack->capacity, depth + 1) ? STATUS_OK
                                                                   : fail_memory(why);
}

/* Moves to the path of `method`, called from the present path. */
static enum status follow_call(struct death_sites *sites, uint64_t method, struct failure *why)
{
    uint32_t caller = sites->path;
    struct cached_call *call =
        &sites->calls[hash_slot(method ^ (uint64_t)caller << 32, CALL_CACHE_BITS)];
    enum status status = STATUS_OK;
    if (call->method != method || call->caller != caller || call->path == 0) {
        *call = (struct cached_call){.method = method, .caller = caller};
        status = contexts_enter(sites->contexts, caller, method, &call->path, why);
    }
    sites->path = call->path;
    return status;
}

enum status death_sites_enter(struct death_sites *sites, const struct frames *frames,
                              uint32_t thread, uint64_t method, struct failure *why)
{
    size_t depth = frames->threads[thread].depth;
    enum status status = STATUS_OK;
    if (!sites->contexts)
        return STATUS_OK;
    if (thread >= sites->stack_count || depth >= sites->stacks[thread].capacity)
        status = reserve_path(sites, thread, depth, why);
    if (status == STATUS_OK)
        status = follow_call(sites, method, why);
    if (status == STATUS_OK)
        sites->stacks[thread].paths[depth] = sites->path;
    return status;
}

enum status death_sites_leave(struct death_sites *sites, const struct frames *frames,
                              uint32_t thread, uint64_t tick, struct failure *why)
{
    size_t depth = frames->threads[thread].depth;
    if (sites->contexts)
        sites->path = death_sites_frame_path(sites, thread, depth + 1);
    sites->thread = NO_THREAD;
    if (thread >= sites->stack_count || depth >= sites->stacks[thread].reach)
        return STATUS_OK;
    sites->stacks[thread].reach = depth;
    return frame_exits_leave(sites->exits, thread, (uint32_t)depth, tick, why);
}

enum status death_sites_birth(struct death_sites *sites, const struct frames *frames,
                              uint32_t thread, node_t node, bool adopted, struct failure *why)
{
    struct node_site *site = &sites->nodes[node];
    size_t depth = frames->threads[thread].depth;
    if (depth >= NUMBER_MASK || frames_thread_count(frames) >= NUMBER_MASK)
        return fail(
            why, STATUS_LIMIT,
            "The trace has more than %u frames or threads: frames outlived cannot be counted",
            NUMBER_MASK - 1);
    bool is_shared = adopted && site->marks != thread + 1;
    site->marks = ALLOCATED_BIT | (is_shared ? SHARED_BIT : 0) | (uint32_t)depth;
    enum status status = STATUS_OK;
    if (thread >= sites->stack_count)
        status = reserve_stack(sites, thread, why);
    if (status == STATUS_OK)
        sites->stacks[thread].reach = depth;
    return status;
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

bool death_sites_have_paths(const struct death_sites *sites)
{
    return sites->contexts;
}

uint32_t death_sites_present(const struct death_sites *sites)
{
    return sites->path;
}

uint32_t death_sites_path(const struct death_sites *sites, node_t node)
{
    return sites->nodes[node].path;
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
        free(sites->stacks[i].paths);
    free(sites->stacks);
    free(sites->calls);
    free(sites->nodes);
    frame_exits_free(sites->exits);
    free(sites);
}
