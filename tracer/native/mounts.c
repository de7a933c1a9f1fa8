/* SPDX-License-Identifier: MIT */
/* The calls of a virtual thread that is unmounted are kept by its id until it is mounted again,
 * perhaps on another carrier. Most have none then, since methods of the JDK have no frames. */
#include "mounts.h"

#include "collect.h"
#include "native_code.h"
#include "objects.h"
#include "quick.h"

#include "base/map.h"

#include <stdlib.h>
#include <string.h>

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

void mounts_release(struct calls *calls)
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
    mounts_release(calls);
}

/* The records that follow are of the thread with that id. */
static void go_on_as(struct thread *me, uint64_t id)
{
    me->id = id;
    me->is_failing = false; /* else this record would be left out, too */
    record(me, RECORD_THREAD, 0, 1, &id);
}

void mounts_enter(struct thread *me, jthread thread)
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

void mounts_leave(struct thread *me)
{
    quick_unmount(me);
    if (atomic_load(&tracer.is_active))
        leave_recorded(me);
    mounts_release(&me->calls);
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

jthread mounts_carrier(JNIEnv *jni, jthread thread)
{
    return is_virtual(jni, thread) ? (*jni)->GetObjectField(jni, thread, mounts.carrier) : NULL;
}

bool mounts_carries(JNIEnv *jni, jthread thread)
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
        mounts_leave(me);
    if (traced())
        mounts_enter(me, thread);
}

static void JNICALL on_unmount(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    (void)jvmti;
    (void)jni;
    (void)thread;
    struct thread *me = thread_current;
    if (me && me->carrier)
        mounts_leave(me);
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
        mounts_release(&calls);
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

bool mounts_open(const jvmtiEventCallbacks *others)
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
