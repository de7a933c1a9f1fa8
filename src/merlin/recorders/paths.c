/* SPDX-License-Identifier: MIT */
/* The path is kept for each open frame, so it is looked up at most once a call, from that of
 * the caller, nearly always in a cache; without death sites only where something is allocated
 * in that call or in one that it makes. A return finds that of the caller on the stack.
 *
 * What is kept of a node is a number whose meaning changes during its life: before its
 * allocation, the thread that named it first; from then on, how many frames were open at its
 * allocation; after its death, how many of these it has outlived. */
#include "merlin/recorders/paths.h"

#include "base/hash.h"
#include "base/memory.h"
#include "heap/objects_inline.h"
#include "merlin/apply.h"
#include "merlin/recorders/frame_exits.h"

#include <stdlib.h>
#include <string.h>

#define SHARED_BIT (UINT32_C(1) << 31)
#define ALLOCATED_BIT (UINT32_C(1) << 30)
#define NUMBER_MASK PATHS_NO_FRAMES

/* What is kept of a node. */
struct node_site {
    uint32_t path; /* of its latest use */
    /* The bits above, and a number: before its allocation, that of the thread that named it
     * first, plus one (0: none has); afterwards a number of frames. */
    uint32_t marks;
};

/* A call, and its path if it has been looked up. */
struct path_frame {
    uint64_t method;
    uint32_t path;
};

/* The open frames of a thread, the outermost first; frames that were open stay after them until
 * they are overwritten. The paths of the first `known` have been looked up. Nothing has been
 * born in the frames that are open beyond the first `reach`: exits that leave `reach` frames or
 * more open need not be recorded. */
struct path_stack {
    struct path_frame *frames;
    size_t depth;
    size_t capacity;
    size_t known;
    size_t reach;
};

/* A call that has been looked up, and the path that it led to; 0: the entry is empty. */
struct cached_call {
    uint64_t method;
    uint32_t caller;
    uint32_t path;
};

enum { CALL_CACHE_BITS = 14 };

struct paths {
    struct contexts *contexts;
    bool has_sites;            /* the methods of sites are recorded */
    struct path_stack *stacks; /* by thread */
    size_t stack_count;
    size_t stack_capacity;
    struct cached_call *calls; /* by a hash of caller and method */
    bool has_threads;          /* there are several threads */
    bool has_last_uses;
    /* Of death sites: */
    struct frame_exits *exits; /* NULL: they are not recorded */
    struct node_site *nodes;
    size_t node_count;
    size_t node_capacity;
};

static enum status open_parts(struct paths *paths, const struct paths_options *options,
                              struct failure *why)
{
    TRY(contexts_new(&paths->contexts, options->context_depth, why));
    paths->has_sites = options->sites;
    if (options->deaths)
        TRY(frame_exits_new(&paths->exits, options->temporary, why));
    paths->has_last_uses = options->deaths && options->last_uses;
    paths->calls = array_new((size_t)1 << CALL_CACHE_BITS, sizeof *paths->calls);
    return paths->calls ? STATUS_OK : fail_memory(why);
}

enum status paths_new(struct paths **out, const struct paths_options *options,
                      struct failure *why)
{
    struct paths *paths = calloc(1, sizeof *paths);
    if (!paths)
        return fail_memory(why);
    enum status status = open_parts(paths, options, why);
    if (status == STATUS_OK)
        *out = paths;
    else
        paths_free(paths);
    return status;
}

/* Makes room for the threads and, with death sites, the nodes that have been seen. */
static enum status reserve(struct paths *paths, const struct seen_batch *seen,
                           struct failure *why)
{
    size_t threads = frames_thread_count(seen->pass->heap.frames);
    if (!ARRAY_LENGTHEN(paths->stacks, paths->stack_count, paths->stack_capacity, threads) ||
        (paths->exits &&
         !ARRAY_LENGTHEN(paths->nodes, paths->node_count, paths->node_capacity, seen->nodes)))
        return fail_memory(why);
    paths->has_threads = threads > 1;
    return STATUS_OK;
}

/* The path of open frame number `frame` of a thread, from 1; 0, no path, for frame 0. */
static uint32_t frame_path(const struct path_stack *stack, size_t frame)
{
    return frame == 0 ? 0 : stack->frames[frame - 1].path;
}

/* Where the events have come to. */
struct following {
    struct paths *paths;
    const struct seen_batch *seen;
    uint32_t thread;          /* of the latest event */
    struct path_stack *stack; /* of that thread */
    uint32_t path;            /* that the event is in, if death sites are recorded */
    uint32_t exit;            /* the record, if it left frames: the path stays that of the
                                 outermost of them; UINT32_MAX: it did not */
};

/* Looks up the paths of the open frames that are not known yet. */
static enum status find_paths(struct paths *paths, struct path_stack *stack,
                              struct failure *why)
{
    for (; stack->known < stack->depth; stack->known++) {
        struct path_frame *frame = &stack->frames[stack->known];
        uint32_t caller = frame_path(stack, stack->known);
        struct cached_call *call =
            &paths->calls[hash_slot(frame->method ^ (uint64_t)caller << 32, CALL_CACHE_BITS)];
        if (call->method != frame->method || call->caller != caller || call->path == 0) {
            *call = (struct cached_call){.method = frame->method, .caller = caller};
            TRY(contexts_enter(paths->contexts, caller, frame->method, &call->path, why));
        }
        frame->path = call->path;
    }
    return STATUS_OK;
}

/* Finds the path of the innermost open frame. */
static inline enum status find_path(struct following *at, struct failure *why)
{
    if (at->stack->known < at->stack->depth)
        TRY(find_paths(at->paths, at->stack, why));
    at->path = frame_path(at->stack, at->stack->depth);
    return STATUS_OK;
}

/* Enters the record's method. */
static enum status enter(struct following *at, const struct seen_event *event,
                         struct failure *why)
{
    struct path_stack *stack = at->stack;
    if (!ARRAY_RESERVE(stack->frames, stack->capacity, stack->depth + 1))
        return fail_memory(why);
    stack->frames[stack->depth++].method = seen_record(at->seen, event)->method;
    return at->paths->exits ? find_path(at, why) : STATUS_OK;
}

/* Records that a thread names a node by its id. */
static inline void name_node(struct paths *paths, const struct objects *objects,
                             uint32_t thread, node_t node)
{
    uint32_t *marks = &paths->nodes[node].marks;
    if (*marks & SHARED_BIT || (*marks & ALLOCATED_BIT && !paths->has_threads))
        return;
    bool is_same = *marks & ALLOCATED_BIT ? objects->items[node].thread == thread
                                          : *marks == 0 || *marks == thread + 1;
    if (*marks == 0)
        *marks = thread + 1;
    else if (!is_same)
        *marks |= SHARED_BIT;
}

/* The last use of a node so far; death sites are recorded. */
static inline void use(const struct following *at, const struct seen_event *event)
{
    struct paths *paths = at->paths;
    paths->nodes[event->node].path = at->path;
    if (event->how == USE_NAMED)
        name_node(paths, at->seen->pass->heap.objects, at->thread, event->node);
}

/* Pops frames. */
static void pop(struct path_stack *stack, uint64_t frames)
{
    stack->depth -= (size_t)frames;
    if (stack->known > stack->depth)
        stack->known = stack->depth;
}

/* Leaves frames, with death sites. The receiver of an X was used just before in the frame that
 * the X leaves, not in one above it, which was abandoned. */
static enum status leave(struct following *at, const struct seen_event *event,
                         struct failure *why)
{
    struct path_stack *stack = at->stack;
    pop(stack, event->number);
    at->path = stack->frames[stack->depth].path;
    at->exit = event->record;
    const struct seen_event *before = event > at->seen->events->items ? event - 1 : NULL;
    if (before && before->record == event->record && before->kind == SEEN_USE)
        use(at, before);
    if (stack->depth >= stack->reach)
        return STATUS_OK;
    stack->reach = stack->depth;
    return frame_exits_leave(at->paths->exits, at->thread, (uint32_t)stack->depth,
                             event->tick + 1, why);
}

/* Begins to count the frames that a new object outlives. */
static enum status count_frames(const struct following *at, const struct seen_event *event,
                                struct failure *why)
{
    struct path_stack *stack = at->stack;
    uint32_t *marks = &at->paths->nodes[event->node].marks;
    if (stack->depth >= NUMBER_MASK || at->thread >= NUMBER_MASK - 1)
        return fail(
            why, STATUS_LIMIT,
            "The trace has more than %u frames or threads: frames outlived cannot be counted",
            NUMBER_MASK - 1);
    bool is_shared = event->how == ALLOCATION_ADOPTED && *marks != at->thread + 1;
    *marks = ALLOCATED_BIT | (is_shared ? SHARED_BIT : 0) | (uint32_t)stack->depth;
    stack->reach = stack->depth;
    return STATUS_OK;
}

/* Records the context of an allocation; prior objects have none. */
static enum status note_context(const struct following *at, const struct record *record,
                                struct failure *why)
{
    struct paths *paths = at->paths;
    if (record_is_prior(record->kind))
        return contexts_note_none(paths->contexts, why);
    TRY(contexts_note_path(paths->contexts, at->path, why));
    if (!paths->has_sites)
        return STATUS_OK;
    uint32_t context = contexts_of_path(paths->contexts, at->path);
    return contexts_note_site(paths->contexts, record->site,
                              contexts_method_number(paths->contexts, context), why);
}

static enum status allocate(struct following *at, const struct seen_event *event,
                            struct failure *why)
{
    TRY(find_path(at, why));
    if (at->paths->exits)
        TRY(count_frames(at, event, why));
    return note_context(at, seen_record(at->seen, event), why);
}

/* Moves to the path that the thread is in at the beginning of a record. */
static inline void begin_record(struct following *at)
{
    at->exit = UINT32_MAX;
    if (at->paths->exits)
        at->path = frame_path(at->stack, at->stack->depth);
}

static void follow_thread(struct following *at, uint32_t thread)
{
    at->thread = thread;
    at->stack = &at->paths->stacks[thread];
    begin_record(at);
}

static inline enum status see_event(struct following *at, const struct seen_event *event,
                                    struct failure *why)
{
    if (event->record > at->exit)
        begin_record(at);
    switch ((enum seen_kind)event->kind) {
    case SEEN_USE:
        use(at, event);
        break;
    case SEEN_THREAD:
        follow_thread(at, (uint32_t)event->number);
        break;
    case SEEN_ENTRY:
        return enter(at, event, why);
    case SEEN_EXIT:
        if (at->paths->exits)
            return leave(at, event, why);
        pop(at->stack, event->number);
        break;
    case SEEN_BIRTH:
        return allocate(at, event, why);
    case SEEN_REPLACED:
    case SEEN_STORE:
    case SEEN_DEATH:
        break;
    }
    return STATUS_OK;
}

enum status paths_see(struct paths *paths, const struct seen_batch *seen, struct failure *why)
{
    const struct seen_events *events = seen->events;
    TRY(reserve(paths, seen, why));
    struct following at = {
        .paths = paths, .seen = seen, .stack = paths->stacks, .exit = UINT32_MAX};
    const struct seen_event *end = events->items + events->count;
    for (const struct seen_event *event = events->items; event < end; event++)
        if (event->kind != SEEN_USE || paths->exits)
            TRY(see_event(&at, event, why));
    return STATUS_OK;
}

struct contexts *paths_contexts(const struct paths *paths)
{
    return paths->contexts;
}

bool paths_have_deaths(const struct paths *paths)
{
    return paths->exits;
}

enum status paths_die(struct paths *paths, const struct objects *objects, node_t node,
                      uint64_t birth, uint64_t death, struct failure *why)
{
    uint32_t *marks = &paths->nodes[node].marks, depth = *marks & NUMBER_MASK;
    enum status status = frame_exits_pass(paths->exits, death == 0 ? 0 : death - 1, why);
    uint32_t still_open =
        frame_exits_still_open(paths->exits, objects_thread(objects, node), depth, birth);
    *marks &= ~NUMBER_MASK;
    *marks |= depth == 0 ? PATHS_NO_FRAMES : depth - still_open;
    return status;
}

enum status paths_pass(struct paths *paths, uint64_t tick, struct failure *why)
{
    enum status status = frame_exits_pass(paths->exits, tick, why);
    frame_exits_restart(paths->exits);
    return status;
}

bool paths_have_last_uses(const struct paths *paths)
{
    return paths->has_last_uses;
}

uint32_t paths_of_last_use(const struct paths *paths, node_t node)
{
    return paths->nodes[node].path;
}

bool paths_is_shared(const struct paths *paths, node_t node)
{
    return paths->nodes[node].marks & SHARED_BIT;
}

uint32_t paths_outlived(const struct paths *paths, node_t node)
{
    return paths->nodes[node].marks & NUMBER_MASK;
}

void paths_move(struct paths *paths, const node_t *moved, size_t nodes)
{
    size_t staying = 1;
    contexts_forget_allocations(paths->contexts);
    if (!paths->exits)
        return;
    for (size_t node = 1; node < nodes; node++)
        if (moved[node] != NODE_NONE)
            paths->nodes[staying++] = paths->nodes[node];
    memset(paths->nodes + staying, 0, (nodes - staying) * sizeof *paths->nodes);
}

void paths_free(struct paths *paths)
{
    if (!paths)
        return;
    for (size_t i = 0; i < paths->stack_count; i++)
        free(paths->stacks[i].frames);
    free(paths->stacks);
    free(paths->calls);
    free(paths->nodes);
    contexts_free(paths->contexts);
    frame_exits_free(paths->exits);
    free(paths);
}
