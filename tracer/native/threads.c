/* SPDX-License-Identifier: MIT */
/* The structures of threads. A thread gets its own when it first calls a probe while the trace
 * is active, and keeps it to its end. Whether it is suspended is known without one.
 *
 * The virtual machine mounts a virtual thread (Java 21) on a platform thread, its carrier, and
 * unmounts it where it waits; later it may go on on another one. While it is mounted, the
 * records of the carrier are those of the virtual thread. Its calls are kept by its id until it
 * is mounted again. Most have none then, since methods of the JDK have no frames. */
#include "cleared.h"
#include "collect.h"
#include "native_code.h"
#include "objects.h"
#include "prepared.h"
#include "quick.h"
#include "tracer.h"

#include "base/map.h"

#include <stdlib.h>
#include <string.h>

__thread struct thread *thread_current __attribute__((tls_model("initial-exec")));
static __thread int suspended_before __attribute__((tls_model("initial-exec")));

/* Virtual threads. */

/* The headers of Java 17 have neither this capability nor these events. */
struct capabilities {
    unsigned : 32, : 12, can_support_virtual_threads : 1, : 19, : 32, : 32;
};
_Static_assert(sizeof(struct capabilities) == sizeof(jvmtiCapabilities), "capabilities");
enum { VIRTUAL_THREAD_END = 88, EVENTS = VIRTUAL_THREAD_END - JVMTI_MIN_EVENT_TYPE_VAL + 1 };
static const char mount_event[] = "com.sun.hotspot.events.VirtualThreadMount";
static const char unmount_event[] = "com.sun.hotspot.events.VirtualThreadUnmount";

static struct {
    pthread_mutex_t lock;
    jclass _Atomic of;  /* java.lang.VirtualThread; NULL: none has been mounted yet */
    jfieldID carrier;   /* its field */
    struct map waiting; /* by the id of a virtual thread: the address of its struct calls */
} mounts = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Releases what belongs to the calls. */
static void release_calls(struct calls *calls)
{
    free(calls->frames);
    free(calls->allocations);
    free(calls->variables);
    *calls = (struct calls){0};
}

/* Takes the calls of that virtual thread, which it may have left when it was unmounted. */
static struct calls take(uint64_t id)
{
    struct calls calls = {0};
    pthread_mutex_lock(&mounts.lock);
    const uint64_t *value = map_find(&mounts.waiting, id);
    if (value) {
        struct calls *kept = (struct calls *)(uintptr_t)*value;
        calls = *kept;
        free(kept);
        map_remove(&mounts.waiting, id);
    }
    pthread_mutex_unlock(&mounts.lock);
    return calls;
}

/* Keeps the calls, if there are any, for that virtual thread. They are empty then. */
static void keep(uint64_t id, struct calls *calls)
{
    if (calls->frame_count || calls->allocation_count || calls->unwinding.method) {
        struct calls *kept = malloc(sizeof *kept);
        pthread_mutex_lock(&mounts.lock);
        uint64_t *value = kept ? map_insert(&mounts.waiting, id) : NULL;
        if (value) {
            *kept = *calls;
            *calls = (struct calls){0};
            *value = (uintptr_t)kept;
        }
        pthread_mutex_unlock(&mounts.lock);
        if (!value) {
            free(kept);
            tracer_out_of_memory();
        }
    }
    release_calls(calls);
}

/* The records that follow are of the thread with that id. */
static void go_on_as(struct thread *me, uint64_t id)
{
    me->id = id;
    me->is_failing = false; /* else this record would be left out, too */
    record(me, RECORD_THREAD, 0, 1, &id);
}

/* The calling thread, whose own calls are those in its structure, runs the virtual thread. */
static void mount(struct thread *me, jthread thread)
{
    truth_lock(me);
    uint64_t id = object_id(me, thread, 0);
    objects_settle(me);
    if (id) {
        me->carrier = me->id;
        me->below = me->calls;
        me->calls = take(id);
        go_on_as(me, id);
        record_running(me, true);
        quick_mount(me, thread);
    }
    me->is_failing = false;
    quick_gate(me);
    truth_unlock();
}

/* Records that the virtual thread no longer runs, and keeps its calls. */
static void leave_recorded(struct thread *me)
{
    truth_lock(me);
    me->is_failing = false;
    record_running(me, false);
    keep(me->id, &me->calls);
    go_on_as(me, me->carrier);
    truth_unlock();
}

/* The calling thread no longer runs its virtual thread. After the end of the trace nothing is
 * recorded. */
static void unmount(struct thread *me)
{
    quick_unmount(me);
    if (atomic_load(&tracer.is_active))
        leave_recorded(me);
    release_calls(&me->calls);
    me->calls = me->below;
    me->below = (struct calls){0};
    me->id = me->carrier;
    me->carrier = 0;
    quick_gate(me);
}

/* Whether that is the class of virtual threads. It is found as the first one is mounted: to
 * look for it by its name would make the virtual machine start what runs them. */
static bool is_virtual(JNIEnv *jni, jthread thread)
{
    jclass of = atomic_load(&mounts.of);
    return of && (*jni)->IsInstanceOf(jni, thread, of);
}

/* The carrier on which that thread is mounted, as a local reference; NULL: it is no virtual
 * thread, or mounts are not reported. */
static jthread carrier_of(JNIEnv *jni, jthread thread)
{
    return is_virtual(jni, thread) ? (*jni)->GetObjectField(jni, thread, mounts.carrier) : NULL;
}

/* Whether virtual threads run on the thread, which may be between two of them: a walk over the
 * heap waits until it is not, so it must not wait for one. */
static bool carries_virtual(JNIEnv *jni, jthread thread)
{
    char *signature = NULL;
    jclass of = (*jni)->GetObjectClass(jni, thread);
    bool carries =
        is_virtual(jni, thread) ||
        ((*tracer.jvmti)->GetClassSignature(tracer.jvmti, of, &signature, NULL) == 0 &&
         strcmp(signature, "Ljdk/internal/misc/CarrierThread;") == 0);
    (*tracer.jvmti)->Deallocate(tracer.jvmti, (unsigned char *)signature);
    (*jni)->DeleteLocalRef(jni, of);
    return carries;
}

/* Finds the class of virtual threads. */
static void learn(JNIEnv *jni, jthread thread)
{
    jclass of = (*jni)->GetObjectClass(jni, thread);
    pthread_mutex_lock(&mounts.lock);
    if (!atomic_load(&mounts.of)) {
        mounts.carrier = (*jni)->GetFieldID(jni, of, "carrierThread", "Ljava/lang/Thread;");
        (*jni)->ExceptionClear(jni);
        if (mounts.carrier)
            atomic_store(&mounts.of, native_code_keep(jni, of));
    }
    pthread_mutex_unlock(&mounts.lock);
    (*jni)->DeleteLocalRef(jni, of);
}

/* The calling thread, if it is traced. */
static struct thread *traced(void)
{
    return atomic_load(&tracer.is_active) ? thread_current : NULL;
}

static void JNICALL on_mount(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    (void)jvmti;
    if (!atomic_load(&mounts.of))
        learn(jni, thread);
    struct thread *me = thread_current;
    if (me && me->carrier)
        unmount(me);
    if (traced())
        mount(me, thread);
}

static void JNICALL on_unmount(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    (void)jvmti;
    (void)jni;
    (void)thread;
    struct thread *me = thread_current;
    if (me && me->carrier)
        unmount(me);
}

/* A virtual thread ends, after it has been unmounted, or one that has a thread of the system.
 */
static void JNICALL on_end(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    (void)jvmti;
    struct thread *me = traced();
    if (!is_virtual(jni, thread)) {
        thread_end(jni);
    } else if (me) {
        struct calls calls = take(object_known(me, thread));
        release_calls(&calls);
        me->is_failing = false;
    }
}

/* Has the virtual machine call `callback` at that event, which only some have. */
static bool listen(const char *event, jvmtiExtensionEvent callback)
{
    jvmtiEnv *jvmti = tracer.jvmti;
    jint count = 0;
    jvmtiExtensionEventInfo *events = NULL;
    bool fits = false;
    if ((*jvmti)->GetExtensionEvents(jvmti, &count, &events) != 0)
        return false;
    for (jint i = 0; i < count; i++) {
        jint number = events[i].extension_event_index;
        if (strcmp(events[i].id, event) == 0)
            fits = (*jvmti)->SetExtensionEventCallback(jvmti, number, callback) == 0 &&
                   (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, (jvmtiEvent)number,
                                                      NULL) == 0;
    }
    return fits;
}

bool threads_follow_virtual(const jvmtiEventCallbacks *others)
{
    jvmtiEnv *jvmti = tracer.jvmti;
    union {
        jvmtiCapabilities all;
        struct capabilities added;
    } potential, wanted = {.added.can_support_virtual_threads = 1};
    union {
        jvmtiEventCallbacks known;
        jvmtiEventReserved all[EVENTS];
    } callbacks = {.known = *others};
    callbacks.all[EVENTS - 1] = (jvmtiEventReserved)on_end;
    if ((*jvmti)->GetPotentialCapabilities(jvmti, &potential.all) != 0)
        return false;
    if (!potential.added.can_support_virtual_threads)
        return true;
    return (*jvmti)->AddCapabilities(jvmti, &wanted.all) == 0 &&
           (*jvmti)->SetEventCallbacks(jvmti, &callbacks.known, sizeof callbacks) == 0 &&
           (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE,
                                              (jvmtiEvent)VIRTUAL_THREAD_END, NULL) == 0 &&
           listen(mount_event, (jvmtiExtensionEvent)on_mount) &&
           listen(unmount_event, (jvmtiExtensionEvent)on_unmount);
}

/* Threads of the system. */

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
    me->passes_on = passing_is_done_by(jni, object);
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
    jthread carrier = carrier_of(jni, current);
    struct thread *me = begin_thread(jni, carrier ? carrier : current);
    if (me && carrier)
        mount(me, current);
    (*jni)->DeleteLocalRef(jni, carrier);
    return me;
}

/* Whether the trace goes on. Waits for the snapshot, except where that may wait for this
 * thread: until the snapshot walks over the heap, it will meet what the thread has stored. */
static bool can_begin(JNIEnv *jni, jthread current)
{
    if (!atomic_load(&tracer.has_walked) && tracer.settings.level != LEVEL_ET3 &&
        carries_virtual(jni, current))
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
        unmount(me);
    if (thread_here(me->jni)) {
        truth_lock(me);
        prepared_record(me);
        record_running(me, false);
        truth_unlock();
    }
    thread_current = NULL;
    quick_remove(me);
    collect_forget(me);
    atomic_store(&me->ring->is_ended, true);
    free(me->ids);
    release_calls(&me->calls);
    objects_release(me);
    prepared_release(me);
    free(me);
}
