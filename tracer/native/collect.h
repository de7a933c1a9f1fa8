/* SPDX-License-Identifier: MIT */
/* Collections that find out which objects live: for ettrace --check and --truth. */
#ifndef ETTRACE_COLLECT_H
#define ETTRACE_COLLECT_H

#include "tracer.h"

/* Whether collections can be forced, if any are wanted: some collectors free nothing, ever. */
bool collect_is_possible(JNIEnv *jni);

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

/* As collect_before, where collections are counted. */
void collect_if_due(struct thread *me);

/* A boundary at which a check can be made is about to be recorded; collect_boundary follows.
 * The collection comes before the boundary: what it clears and unloads is not there at it. */
static inline void collect_before(struct thread *me)
{
    if (tracer.settings.checks)
        collect_if_due(me);
}

/* As collect_boundary, where collections are wanted. */
void collect_at_boundary(struct thread *me, bool now);

/* A boundary has been recorded. With `now`, the collection of --truth can run here; else the
 * frame that was left is still there, and it runs at the next probe. */
static inline void collect_boundary(struct thread *me, bool now)
{
    if (tracer.settings.truth || tracer.settings.checks)
        collect_at_boundary(me, now);
}

/* The virtual machine ends: with --check there is a collection, unless the trace has ended
 * before, or the garbage collector. */
void collect_at_end(JNIEnv *jni);

/* The thread ends; no collection is due for it any more. */
void collect_forget(const struct thread *me);

#endif
