/* SPDX-License-Identifier: MIT */
/* The structures of threads. A thread gets its own when it first calls a probe while the trace
 * is active, and keeps it to its end. Whether it is suspended is known without one. */
#include "collect.h"
#include "mounts.h"
#include "objects.h"
#include "quick.h"
#include "tracer.h"

#include <stdlib.h>

__thread struct thread *thread_current __attribute__((tls_model("initial-exec")));
static __thread int suspended_before __attribute__((tls_model("initial-exec")));

/* The merger has the ring at once, although it cannot write these records before the thread
 * has its id: later records of all threads wait for them. */
static bool give_ring(struct thread *me)
{
    me->ring = ring_new(0);
    if (!me->ring)
        return false;
    atomic_store(&me->ring->is_ready, false);
    merger_add(tracer.merger, me->ring);
    return true;
}

static void give_up_ring(struct ring *ring)
{
    atomic_store(&ring->is_ready, true);
    atomic_store(&ring->is_ended, true);
}

/* Makes the structure of the calling thread; `object`: the platform thread. */
static struct thread *begin_thread(JNIEnv *jni, jthread object)
{
    struct thread *me = calloc(1, sizeof *me);
    if (!me || !give_ring(me)) {
        free(me);
        tracer_out_of_memory();
        return NULL;
    }
    me->jni = jni;
    me->ids = calloc(1, sizeof *me->ids); /* without it, it only takes longer */
    me->suspended = suspended_before;
    thread_current = me;
    me->id = me->ring->thread = object_id(me, object, 0);
    if (!me->id) {
        thread_current = NULL;
        give_up_ring(me->ring);
        free(me->ids);
        free(me);
        return NULL;
    }
    atomic_store(&me->ring->is_ready, true);
    objects_settle(me);
    record_running(me, true);
    quick_add(me, object);
    return me;
}

/* The same; if `current` is a virtual thread, its carrier runs it. */
static struct thread *begin_mounted(JNIEnv *jni, jthread current)
{
    jthread carrier = mounts_carrier(jni, current);
    struct thread *me = begin_thread(jni, carrier ? carrier : current);
    if (me && carrier)
        mounts_enter(me, current);
    (*jni)->DeleteLocalRef(jni, carrier);
    return me;
}

/* Whether the trace goes on. Waits for the snapshot, except where that may wait for this
 * thread: until the snapshot walks over the heap, it will meet what the thread has stored. */
static bool can_begin(JNIEnv *jni, jthread current)
{
    if (!atomic_load(&tracer.has_walked) && tracer.settings.level != LEVEL_ET3 &&
        mounts_carries(jni, current))
        return false;
    pthread_mutex_lock(&tracer.beginning);
    pthread_mutex_unlock(&tracer.beginning);
    return atomic_load(&tracer.is_active);
}

struct thread *thread_new(JNIEnv *jni)
{
    jthread current = NULL;
    if ((*tracer.jvmti)->GetCurrentThread(tracer.jvmti, &current) || !current)
        return NULL;
    struct thread *me = can_begin(jni, current) ? begin_mounted(jni, current) : NULL;
    (*jni)->DeleteLocalRef(jni, current);
    return me;
}

void thread_suspend(JNIEnv *jni, int step)
{
    (void)jni;
    suspended_before += step;
    if (thread_current)
        thread_current->suspended = suspended_before;
    if (thread_current)
        quick_gate(thread_current);
}

bool thread_is_suspended(void)
{
    return suspended_before > 0;
}

void thread_end(JNIEnv *jni)
{
    struct thread *me = thread_current;
    (void)jni;
    if (!me)
        return;
    if (me->carrier)
        mounts_leave(me);
    if (thread_here(me->jni)) {
        truth_lock(me);
        record_running(me, false);
        truth_unlock();
    }
    thread_current = NULL;
    quick_remove(me);
    collect_forget(me);
    atomic_store(&me->ring->is_ended, true);
    free(me->ids);
    mounts_release(&me->calls);
    objects_release(me);
    free(me);
}
