/* SPDX-License-Identifier: MIT */
/* After a collection, a walk over the heap meets all live objects: one that has an id and is
 * not met has died. Objects with ids below tracer.first_new were there before tracing began,
 * and --check does not count them. */
#include "collect.h"

#include "cleared.h"
#include "hotspot.h"
#include "native_code.h"
#include "objects.h"
#include "quick.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    FIRST_INTERVAL = 10, /* boundaries between two checks at first, for short programs */
    WAIT_LOOKS = 40,     /* looks at whether another thread's collection has run */
    WAIT_NANOSECONDS = 50000,
    MOST_SECONDS = 5, /* for a collection to take place */
    AGAIN_NANOSECONDS = 200 * 1000,
};

struct collector {
    pthread_mutex_t lock;
    _Atomic uint64_t boundaries;
    _Atomic uint64_t next_check;
    uint64_t interval, checks;            /* boundaries; checks done with this interval */
    _Atomic bool settles;                 /* a check waits for threads of the JDK */
    const struct thread *_Atomic checker; /* others wait for it; NULL: they do not */
    pthread_mutex_t stopping;             /* held while they do */
    const struct thread *_Atomic pending; /* it leaves a frame, and its collection is due */
    uint64_t *alive;                      /* ids of objects not found dead yet */
    size_t alive_count, alive_capacity;
    uint64_t listed; /* ids below it have been put into `alive` */
    uint8_t *met;    /* by id: whether the last walk has met the object */
    size_t met_capacity;
    uint64_t objects, bytes; /* live objects with ids from `first` to below `end` */
    uint64_t first, end;     /* objects from `end` on were allocated after the boundary */
    bool has_threads;        /* threads of the garbage collector begin collections */
    uint64_t missed;         /* collections that did not take place */
    jclass own;              /* a class of the tracer */
    jobject held;            /* an object of that class; NULL: there is none */
    jweak held_weakly;       /* the same */
    jweak garbage;           /* an object that was held before; NULL: it has been collected */
};

static struct collector collector = {.lock = PTHREAD_MUTEX_INITIALIZER,
                                     .stopping = PTHREAD_MUTEX_INITIALIZER,
                                     .next_check = FIRST_INTERVAL,
                                     .interval = FIRST_INTERVAL};

/* Whether the collector has threads that begin collections: that of ZGC or Shenandoah. */
static bool has_drivers(void)
{
    static const char *const names[] = {"ZDriver", "Shenandoah C"};
    return hotspot_find_thread(names, sizeof names / sizeof *names) == THREAD_FOUND;
}

/* Holds a new object of the tracer, if it holds none. No record names it, since walks leave out
 * objects of the tracer's classes. While an exception of the program is pending, nothing may be
 * allocated. */
static void hold_object(JNIEnv *jni)
{
    if (collector.held || (*jni)->ExceptionCheck(jni))
        return;
    thread_suspend(jni, 1);
    jobject object = collector.own ? (*jni)->AllocObject(jni, collector.own) : NULL;
    jweak weak = object ? object_weak_reference(jni, object) : NULL;
    jobject held = weak ? native_code_keep(jni, object) : NULL;
    if (object)
        (*jni)->DeleteLocalRef(jni, object);
    else
        (*jni)->ExceptionClear(jni);
    if (held) {
        collector.held = held;
        collector.held_weakly = weak;
    } else if (weak) {
        (*jni)->DeleteWeakGlobalRef(jni, weak);
    }
    thread_suspend(jni, -1);
}

/* Makes garbage of it. */
static void drop_object(JNIEnv *jni)
{
    if (collector.garbage || !collector.held)
        return;
    collector.garbage = collector.held_weakly;
    native_code_drop(jni, collector.held);
    collector.held = NULL;
}

/* Asks for a collection; false: it was not run. It is known by garbage that has survived the
 * collection before, and so is old: native code that keeps the virtual machine from collecting
 * has it collect new objects alone, later. */
static bool collect_once(JNIEnv *jni)
{
    drop_object(jni);
    hold_object(jni);
    (*tracer.jvmti)->ForceGarbageCollection(tracer.jvmti);
    if (!collector.garbage || (*jni)->ExceptionCheck(jni))
        return true; /* it is not known */
    if (!(*jni)->IsSameObject(jni, collector.garbage, NULL))
        return false;
    (*jni)->DeleteWeakGlobalRef(jni, collector.garbage);
    collector.garbage = NULL;
    return true;
}

bool collect_is_possible(JNIEnv *jni, jclass own)
{
    if (!tracer.settings.truth && !tracer.settings.checks)
        return true;
    collector.has_threads = has_drivers();
    collector.own = native_code_keep(jni, own);
    return collect_once(jni) && collect_once(jni); /* the first one has no garbage yet */
}

static jint JNICALL meet(jlong class_tag, jlong size, jlong *tag, jint length, void *context)
{
    struct collector *into = context;
    (void)class_tag;
    (void)length;
    if (*tag > 0 && (size_t)*tag < into->met_capacity) {
        into->met[*tag] = 1;
        if ((uint64_t)*tag >= into->first && (uint64_t)*tag < into->end) {
            into->objects++;
            into->bytes += (uint64_t)size;
        }
    }
    return JVMTI_VISIT_OBJECTS;
}

/* Adds the ids given since the last collection to `alive`; false: no memory. */
static bool list_new(void)
{
    uint64_t end = atomic_load(&tracer.next_id);
    if (collector.listed < collector.first)
        collector.listed = collector.first;
    size_t needed = collector.alive_count + (size_t)(end - collector.listed);
    uint64_t *alive =
        array_grow(collector.alive, &collector.alive_capacity, needed + 1, sizeof *alive);
    uint8_t *met = realloc(collector.met, end + 1);
    if (met)
        collector.met = met;
    if (alive)
        collector.alive = alive;
    if (!met || !alive) {
        tracer_out_of_memory();
        return false;
    }
    memset(met, 0, end + 1);
    collector.met_capacity = end + 1;
    for (; collector.listed < end; collector.listed++)
        alive[collector.alive_count++] = collector.listed;
    return true;
}

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Runs a collection, and records which references it has cleared and which classes unloaded.
 * While native code has the contents of an array (GetPrimitiveArrayCritical), the collectors of
 * older virtual machines run none; threads cannot begin that again once a collection is wanted,
 * so it takes place if it is asked for as the last of them ends. False: it did not. */
static bool force(struct thread *me)
{
    double end = seconds_now() + MOST_SECONDS;
    bool has_run = collect_once(me->jni);
    while (!has_run && seconds_now() < end) {
        nanosleep(&(struct timespec){.tv_nsec = AGAIN_NANOSECONDS}, NULL);
        has_run = collect_once(me->jni);
    }
    unloading_record(me);
    soft_record(me, true);
    collector.missed += !has_run;
    return has_run;
}

/* Records each object that the last collection found dead, as D or RECORD_GONE, and counts the
 * live ones. */
static void record_gone(struct thread *me, char letter)
{
    jvmtiHeapCallbacks callbacks = {.heap_iteration_callback = meet};
    collector.objects = collector.bytes = 0;
    (*tracer.jvmti)
        ->IterateThroughHeap(tracer.jvmti, JVMTI_HEAP_FILTER_UNTAGGED, NULL, &callbacks,
                             &collector);
    size_t kept = 0;
    for (size_t i = 0; i < collector.alive_count; i++) {
        uint64_t id = collector.alive[i];
        if (collector.met[id])
            collector.alive[kept++] = id;
        else if (letter == 'D')
            record(me, 'D', 0, 2, (uint64_t[]){id, me->id});
        else
            record(me, RECORD_GONE, 0, 1, &id);
    }
    collector.alive_count = kept;
}

static size_t written(const struct thread *me)
{
    return me->ring->next;
}

/* After a collection, threads of the JDK take references to dead objects out of queues, and
 * then release what belonged to these objects. Code of the JDK knows whether the virtual
 * machine has references that it has not passed on yet, and whether others are being put into
 * their queues. A thread that waits has emptied its queue. */

enum {
    SETTLE_LOOKS = 400,
    SETTLE_NANOSECONDS = 250 * 1000,
};

/* The members of the JDK that are asked; 0 if this one does not have them. */
struct questions {
    jclass reference;
    jmethodID is_pending;
    jfieldID is_active;
};

static struct questions ask_how(JNIEnv *jni)
{
    struct questions questions = {.reference =
                                      (*jni)->FindClass(jni, "java/lang/ref/Reference")};
    if (questions.reference) {
        questions.is_pending = (*jni)->GetStaticMethodID(jni, questions.reference,
                                                         "hasReferencePendingList", "()Z");
        (*jni)->ExceptionClear(jni);
        questions.is_active =
            (*jni)->GetStaticFieldID(jni, questions.reference, "processPendingActive", "Z");
    }
    (*jni)->ExceptionClear(jni);
    return questions;
}

static bool is_handing_over(JNIEnv *jni, const struct questions *questions)
{
    return (questions->is_active &&
            (*jni)->GetStaticBooleanField(jni, questions->reference, questions->is_active)) ||
           (questions->is_pending &&
            (*jni)->CallStaticBooleanMethod(jni, questions->reference, questions->is_pending));
}

/* Whether the thread is one that takes references out of a queue. */
static bool empties_a_queue(const char *name)
{
    return strcmp(name, "Common-Cleaner") == 0 || strcmp(name, "Finalizer") == 0 ||
           strncmp(name, "Cleaner-", strlen("Cleaner-")) == 0;
}

static bool is_busy(JNIEnv *jni, jthread thread)
{
    jvmtiThreadInfo info;
    jint state = 0;
    if ((*tracer.jvmti)->GetThreadInfo(tracer.jvmti, thread, &info))
        return false;
    bool takes = empties_a_queue(info.name);
    (*tracer.jvmti)->Deallocate(tracer.jvmti, (unsigned char *)info.name);
    (*jni)->DeleteLocalRef(jni, info.thread_group);
    (*jni)->DeleteLocalRef(jni, info.context_class_loader);
    if (!takes || (*tracer.jvmti)->GetThreadState(tracer.jvmti, thread, &state))
        return false;
    return (state & JVMTI_THREAD_STATE_ALIVE) && !(state & JVMTI_THREAD_STATE_WAITING);
}

static bool any_is_busy(JNIEnv *jni)
{
    jint count = 0;
    jthread *threads = NULL;
    bool any = false;
    if ((*tracer.jvmti)->GetAllThreads(tracer.jvmti, &count, &threads))
        return false;
    for (jint i = 0; i < count; i++) {
        any = any || is_busy(jni, threads[i]);
        (*jni)->DeleteLocalRef(jni, threads[i]);
    }
    (*tracer.jvmti)->Deallocate(tracer.jvmti, (unsigned char *)threads);
    return any;
}

/* Whether the calling thread takes references out of a queue: it would wait for itself. */
static bool is_one_of_them(JNIEnv *jni)
{
    jthread me = NULL;
    if ((*tracer.jvmti)->GetCurrentThread(tracer.jvmti, &me) || !me)
        return false;
    bool is_one = is_busy(jni, me);
    (*jni)->DeleteLocalRef(jni, me);
    return is_one;
}

/* Waits until these threads have nothing to do, but about a tenth of a second at most: they
 * may run code of the program that takes long. */
static void settle_references(JNIEnv *jni)
{
    if (is_one_of_them(jni))
        return;
    struct questions questions = ask_how(jni);
    for (int i = 0; i < SETTLE_LOOKS; i++) {
        if (!is_handing_over(jni, &questions) && !any_is_busy(jni))
            break;
        nanosleep(&(struct timespec){.tv_nsec = SETTLE_NANOSECONDS}, NULL);
    }
    (*jni)->DeleteLocalRef(jni, questions.reference);
}

/* Collects until nothing more is cleared or unloaded: threads of the JDK release what belonged
 * to cleared references, whenever they get a processor, and only then can it be collected.
 * False: a collection did not take place. */
static bool collect_until_settled(struct thread *me)
{
    enum { MOST = 4 };
    size_t before;
    int count = 0;
    bool has_run = true;
    atomic_store(&collector.settles, true);
    do {
        before = written(me);
        has_run = force(me);
        settle_references(me->jni);
    } while (has_run && written(me) != before && ++count < MOST);
    atomic_store(&collector.settles, false);
    return has_run;
}

/* From now on, other threads wait at their next probe: what they allocate and drop after the
 * collection would come before its boundary. Not while references settle: these threads may be
 * among those that settling waits for, or between two virtual threads, where the virtual
 * machine waits for them. So they do not wait for the lock, which the next check may have. */
static void stop_others(const struct thread *me)
{
    pthread_mutex_lock(&collector.stopping);
    atomic_store(&collector.checker, me);
    quick_attend(ATTEND_CHECK);
}

static void release_others(void)
{
    atomic_store(&collector.checker, NULL);
    quick_attended(ATTEND_CHECK);
    pthread_mutex_unlock(&collector.stopping);
}

void collect_wait(const struct thread *me)
{
    if (atomic_load(&collector.checker) == me)
        return;
    pthread_mutex_lock(&collector.stopping);
    pthread_mutex_unlock(&collector.stopping);
}

/* Makes the collection of a check. True: other threads wait from then on. False: no memory, or
 * a collection did not take place. */
static bool collect_wholly(struct thread *me)
{
    collector.first = tracer.first_new;
    if (!collect_until_settled(me))
        return false;
    stop_others(me);
    if (force(me) && list_new()) {
        collector.end = collector.listed;
        return true;
    }
    release_others();
    return false;
}

/* Records the result of the collection, which belongs to the boundary recorded last. Other
 * threads go on. */
static void record_live(struct thread *me)
{
    record(me, RECORD_CHECK, 0, 0, NULL);
    record_gone(me, RECORD_GONE);
    record(me, RECORD_LIVE, 0, 2, (uint64_t[]){collector.objects, collector.bytes});
    release_others();
}

/* Sets when the next check is due. The interval doubles after as many checks as were asked for,
 * and then after each half as many: a program that runs twice as long has only that many more.
 */
static void go_on(uint64_t boundaries)
{
    if (++collector.checks >= tracer.settings.checks) {
        collector.interval *= 2;
        collector.checks /= 2;
    }
    atomic_store(&collector.next_check, boundaries + collector.interval);
}

/* Whether a check is due at the next boundary. None is while references settle: it would stop
 * the threads that are waited for. */
static bool is_due(void)
{
    uint64_t boundaries = atomic_load_explicit(&collector.boundaries, memory_order_relaxed);
    return boundaries + 1 >=
               atomic_load_explicit(&collector.next_check, memory_order_relaxed) &&
           !atomic_load_explicit(&collector.settles, memory_order_relaxed);
}

/* Runs the collection of --truth, and records a D for each object that it finds dead. */
static void truth(struct thread *me)
{
    atomic_store(&collector.pending, NULL);
    collector.first = tracer.first_object;
    if (!list_new())
        return;
    collector.end = collector.listed;
    force(me);
    record_gone(me, 'D');
}

/* If another thread has left a frame, waits a little for its next probe, which is near and
 * would run the collection at the right moment. Not for long: that thread may block before. */
static void wait_for_other(struct thread *me)
{
    for (int i = 0; i < WAIT_LOOKS; i++) {
        const struct thread *pending = atomic_load(&collector.pending);
        if (!pending || pending == me)
            return;
        pthread_mutex_unlock(&collector.lock);
        nanosleep(&(struct timespec){.tv_nsec = WAIT_NANOSECONDS}, NULL);
        pthread_mutex_lock(&collector.lock);
    }
}

void truth_begin(struct thread *me)
{
    pthread_mutex_lock(&collector.lock);
    wait_for_other(me);
    if (atomic_load(&collector.pending))
        truth(me);
}

void truth_end(void)
{
    pthread_mutex_unlock(&collector.lock);
}

void collect_if_due(struct thread *me)
{
    if (!is_due())
        return;
    pthread_mutex_lock(&collector.lock);
    uint64_t boundaries = atomic_load(&collector.boundaries), missed = collector.missed;
    me->is_checked = is_due() && collect_wholly(me);
    if (collector.missed != missed)
        atomic_store(&collector.next_check, boundaries + 1 + collector.interval);
    if (!me->is_checked)
        pthread_mutex_unlock(&collector.lock);
}

void collect_at_boundary(struct thread *me, bool now)
{
    if (tracer.settings.truth && now) {
        truth(me);
    } else if (tracer.settings.truth) {
        atomic_store(&collector.pending, me);
    } else {
        uint64_t boundaries =
            atomic_fetch_add_explicit(&collector.boundaries, 1, memory_order_relaxed) + 1;
        if (!me->is_checked)
            return;
        me->is_checked = false;
        record_live(me);
        go_on(boundaries);
        pthread_mutex_unlock(&collector.lock);
    }
}

/* What the program has stored since its last boundary counts in the last collection, but in the
 * trace only at a boundary. So there is one more: a method that no class can have. */
static void record_end(struct thread *me)
{
    uint32_t method = name_of_method(tracer.names, "ettrace", "<check>");
    record(me, 'M', method, 1, (uint64_t[]){0});
    record(me, 'E', method, 0, NULL);
}

/* A garbage collector that has threads has stopped them by now: a request for a collection
 * would wait for ever (ZGC) or do nothing (Shenandoah). */
void collect_at_end(struct thread *me)
{
    if (!tracer.settings.checks || collector.has_threads) {
        last_uses_record(me);
        return;
    }
    pthread_mutex_lock(&collector.lock);
    bool is_checked = collect_wholly(me);
    record_end(me);
    if (is_checked)
        record_live(me);
    pthread_mutex_unlock(&collector.lock);
    last_uses_record(me); /* a walk that waits for virtual threads */
}

uint64_t collect_missed(void)
{
    return collector.missed;
}

void collect_forget(const struct thread *me)
{
    const struct thread *expected = me;
    atomic_compare_exchange_strong(&collector.pending, &expected, NULL);
}
