/* SPDX-License-Identifier: MIT */
/* The part of death sites that pass 1 needs at nearly each record: public so that it can be
 * inlined. Only death_sites.c and the functions here use the members. */
#ifndef ETMERLIN_MERLIN_DEATH_SITES_INLINE_H
#define ETMERLIN_MERLIN_DEATH_SITES_INLINE_H

#include "heap/frames_inline.h"
#include "heap/objects_inline.h"
#include "merlin/recorders/paths.h"

#define SHARED_BIT (UINT32_C(1) << 31)
#define ALLOCATED_BIT (UINT32_C(1) << 30)
#define NUMBER_MASK DEATH_SITES_NO_FRAMES

/* What is kept of a node. */
struct node_site {
    uint32_t path; /* of its latest use */
    /* The bits above, and a number: before its allocation, that of the thread that named it
     * first, plus one (0: none has); afterwards a number of frames. */
    uint32_t marks;
};

/* The paths of the open frames of a thread, the outermost first; paths of frames that were open
 * stay after them until they are overwritten. Nothing has been born in the frames that are open
 * beyond the first `reach`: exits that leave `reach` frames or more open need not be recorded.
 */
struct path_stack {
    uint32_t *paths;
    size_t capacity;
    size_t reach;
};

/* A call that has been looked up, and the path that it led to; 0: the entry is empty. */
struct cached_call {
    uint64_t method;
    uint32_t caller;
    uint32_t path;
};

enum { CALL_CACHE_BITS = 14 };

struct death_sites {
    struct contexts *contexts; /* that have the paths; NULL: there are no paths */
    struct path_stack *stacks; /* by thread */
    size_t stack_count;
    size_t stack_capacity;
    struct cached_call *calls; /* by a hash of caller and method; NULL: there are no paths */
    uint32_t path;             /* of the present record */
    uint32_t thread; /* of the record before; NO_THREAD: the next record may be in another path,
                        even in that thread */
    bool has_threads; /* there are several threads */
    struct node_site *nodes;
    size_t node_count; /* that there is room for and that are initialized */
    size_t capacity;
    struct frame_exits *exits;
};

/* The path of open frame number `frame` of a thread, from 1; 0, no path, for frame 0. */
static inline uint32_t death_sites_frame_path(const struct death_sites *sites, uint32_t thread,
                                              size_t frame)
{
    return frame == 0 ? 0 : sites->stacks[thread].paths[frame - 1];
}

/* Moves to the next record, which is of thread number `thread`. */
static inline void death_sites_follow(struct death_sites *sites, const struct frames *frames,
                                      uint32_t thread)
{
    if (thread == sites->thread)
        return;
    sites->thread = thread;
    sites->has_threads |= thread > 0;
    if (sites->contexts)
        sites->path = death_sites_frame_path(sites, thread, frames->threads[thread].depth);
}

/* Records that thread number `thread` names a node by its id. */
static inline void death_sites_name(struct death_sites *sites, const struct objects *objects,
                                    uint32_t thread, node_t node)
{
    uint32_t *marks = &sites->nodes[node].marks;
    if (*marks & SHARED_BIT || (*marks & ALLOCATED_BIT && !sites->has_threads))
        return;
    bool is_same = *marks & ALLOCATED_BIT ? objects->items[node].thread == thread
                                          : *marks == 0 || *marks == thread + 1;
    if (*marks == 0)
        *marks = thread + 1;
    else if (!is_same)
        *marks |= SHARED_BIT;
}

/* Records that the present record uses `node`, for which there must be room; `is_named`: by its
 * id. */
static inline void death_sites_use(struct death_sites *sites, const struct objects *objects,
                                   uint32_t thread, node_t node, bool is_named)
{
    if (node == NODE_NONE)
        return;
    sites->nodes[node].path = sites->path;
    if (is_named)
        death_sites_name(sites, objects, thread, node);
}

#endif
