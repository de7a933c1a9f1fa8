/* SPDX-License-Identifier: MIT */
/* Collections that tell which objects live: for ettrace --check and --truth. */
#ifndef ETTRACE_COLLECT_H
#define ETTRACE_COLLECT_H

#include "tracer.h"

/* Level "--truth": probes run one after the other, each between these two. The first runs the
 * collection that a boundary of a thread that has been left still wants. */
void truth_begin(struct thread *me);
void truth_end(void);

static inline void truth_lock(struct thread *me)
{
    if (tracer.settings.truth)
        truth_begin(me);
}

static inline void truth_unlock(void)
{
    if (tracer.settings.truth)
        truth_end();
}

/* As collect_boundary, where collections are wanted. */
void collect_at_boundary(struct thread *me, bool now);

/* A boundary has been recorded. With `now`, the collection can run here; else the frame that
 * was left is still there, and it runs at the next probe. */
static inline void collect_boundary(struct thread *me, bool now)
{
    if (tracer.settings.truth || tracer.settings.checks)
        collect_at_boundary(me, now);
}

/* The thread ends; no collection is due for it any more. */
void collect_forget(const struct thread *me);

#endif
