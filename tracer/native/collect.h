/* SPDX-License-Identifier: MIT */
/* Collections that find out which objects are live, for ettrace --check and --truth. */
#ifndef ETTRACE_COLLECT_H
#define ETTRACE_COLLECT_H

#include "quick.h"
#include "tracer.h"

/* Whether collections can be forced, if they are wanted: some collectors never free anything.
 * `own`: a class of the tracer that is not abstract. */
bool collect_is_possible(JNIEnv *jni, jclass own);

/* With --truth, probes run one after the other, each between calls of these two. If a thread
 * has left a frame at a boundary whose collection has not run yet, the first of them runs it.
 */
void truth_begin(struct thread *me);
void truth_end(void);

/* Another thread makes a check: waits until it has done so. `me`: the calling thread. */
void collect_wait(const struct thread *me);

/* To be called before a probe records. */
static inline void truth_lock(struct thread *me)
{
    if (tracer.settings.truth)
        truth_begin(me);
    else if (quick_attends(ATTEND_CHECK))
        collect_wait(me);
}

static inline void truth_unlock(void)
{
    if (tracer.settings.truth)
        truth_end();
}

/* As collect_before, where collections are counted. */
void collect_if_due(struct thread *me);

/* To be called before a boundary is recorded at which a check can be made; collect_boundary
 * follows. The collection comes before the boundary: what it clears and unloads is gone at the
 * boundary. */
static inline void collect_before(struct thread *me)
{
    if (tracer.settings.checks)
        collect_if_due(me);
}

/* As collect_boundary, where collections are wanted. */
void collect_at_boundary(struct thread *me, bool now);

/* To be called after a boundary has been recorded. With `now`, the collection of --truth can
 * run here; otherwise the frame that is being left still exists, and it runs at the next probe.
 */
static inline void collect_boundary(struct thread *me, bool now)
{
    if (tracer.settings.truth || tracer.settings.checks)
        collect_at_boundary(me, now);
}

/* The virtual machine ends: records what variables still hold; with --check, also a boundary
 * and a last collection, unless the garbage collector has already ended. */
void collect_at_end(struct thread *me);

/* How many collections did not take place. */
uint64_t collect_missed(void);

/* The thread ends: no collection is due for it any more. */
void collect_forget(const struct thread *me);

#endif
