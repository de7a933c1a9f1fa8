/* SPDX-License-Identifier: MIT */
/* A collection, then a walk over the heap: what had an id and is not met any more has died. The
 * objects below tracer.first_new were there before; --check does not count them. */
#include "collect.h"

#include "settle.h"
#include "soft.h"
#include "unloading.h"

#include "base/memory.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    FIRST_INTERVAL = 10, /* boundaries between two checks at first: short programs have some */
    WAIT_LOOKS = 40,     /* for a thread that leaves a frame */
    WAIT_NANOSECONDS = 50000,
};

struct collector {
    pthread_mutex_t lock;
    _Atomic uint64_t boundaries;
    _Atomic uint64_t next_check;
    uint64_t interval, checks;            /* done with this interval */
    _Atomic bool settles;                 /* a check waits for threads of the JDK */
    const struct thread *_Atomic pending; /* has left a frame, and its collection is due */
    uint64_t *alive;                      /* ids */
    size_t alive_count, alive_capacity;
    uint64_t listed; /* ids up to it were in `alive` */
    uint8_t *met;    /* by id */
    size_t met_capacity;
    uint64_t objects, bytes;
    uint64_t first; /* id that counts */
    uint64_t end; /* ids from it on do not: they are of objects allocated after the boundary */
    _Atomic uint64_t end_at_boundary; /* what it would be at the last boundary */
    bool has_threads;                 /* of the garbage collector, which do its work */
};

static struct collector collector = {.lock = PTHREAD_MUTEX_INITIALIZER,
                                     .next_check = FIRST_INTERVAL,
                                     .interval = FIRST_INTERVAL};

/* Whether a thread is one of those that begin the collections of ZGC or Shenandoah. */
static bool is_driver(const char *thread)
{
    char path[64], name[16] = "";
    int length = snprintf(path, sizeof path, "/proc/self/task/%.20s/comm", thread);
    FILE *file = length < (int)sizeof path ? fopen(path, "re") : NULL;
    bool is_read = file && fgets(name, sizeof name, file);
    if (file)
        fclose(file);
    return is_read &&
           (strncmp(name, "ZDriver", 7) == 0 || strncmp(name, "Shenandoah C", 12) == 0);
}

static bool has_drivers(void)
{
    DIR *threads = opendir("/proc/self/task");
    bool found = false;
    for (const struct dirent *entry; threads && !found && (entry = readdir(threads));)
        found = is_driver(entry->d_name);
    if (threads)
        closedir(threads);
    return found;
}

bool collect_is_possible(JNIEnv *jni)
{
    if (!tracer.settings.truth && !tracer.settings.checks)
        return true;
    collector.has_threads = has_drivers();
    jstring dead = (*jni)->NewStringUTF(jni, "");
    jweak weak = dead ? (*jni)->NewWeakGlobalRef(jni, dead) : NULL;
    (*jni)->DeleteLocalRef(jni, dead);
    if (!weak) {
        (*jni)->ExceptionClear(jni);
        return true;
    }
    (*tracer.jvmti)->ForceGarbageCollection(tracer.jvmti);
    bool is_gone = (*jni)->IsSameObject(jni, weak, NULL);
    (*jni)->DeleteWeakGlobalRef(jni, weak);
    return is_gone;
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

/* Lists the ids given since the last collection. */
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

/* Collects; what the collection clears and unloads is recorded. */
static void force(struct thread *me)
{
    (*tracer.jvmti)->ForceGarbageCollection(tracer.jvmti);
    unloading_record(me);
    soft_record(me, true);
}

/* Records each object that the last collection found dead, and counts the others. */
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

/* Collects until nothing more is cleared or unloaded. Of what is, something is left until
 * threads of the JDK release it, whenever they get a processor. Whether there was memory. */
static bool collect_wholly(struct thread *me)
{
    enum { MOST = 4 };
    size_t before;
    int count = 0;
    collector.first = tracer.first_new;
    atomic_store(&collector.settles, true);
    do {
        before = written(me);
        force(me);
        settle_references(me->jni);
    } while (written(me) != before && ++count < MOST);
    atomic_store(&collector.settles, false);
    if (!list_new())
        return false;
    collector.end = collector.listed;
    force(me);
    return true;
}

/* The collection was at the boundary that has just been recorded. */
static void record_live(struct thread *me)
{
    record(me, RECORD_CHECK, 0, 0, NULL);
    record_gone(me, RECORD_GONE);
    record(me, RECORD_LIVE, 0, 2, (uint64_t[]){collector.objects, collector.bytes});
}

/* Sets when the next check is due. */
static void go_on(uint64_t boundaries)
{
    if (++collector.checks >= tracer.settings.checks) {
        collector.interval *= 2;
        collector.checks /= 2;
    }
    atomic_store(&collector.next_check, boundaries + collector.interval);
}

/* Whether the boundary that comes is one at which a check is due. While references settle, none
 * is: the threads that are waited for go on. */
static bool is_due(void)
{
    uint64_t boundaries = atomic_load_explicit(&collector.boundaries, memory_order_relaxed);
    return boundaries + 1 >=
               atomic_load_explicit(&collector.next_check, memory_order_relaxed) &&
           !atomic_load_explicit(&collector.settles, memory_order_relaxed);
}

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

/* Waits a little for another thread that has left a frame: its next probe is near, and it knows
 * the moment best. But it may be about to block for long. */
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
    me->is_checked = is_due() && collect_wholly(me);
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
        atomic_store_explicit(&collector.end_at_boundary, atomic_load(&tracer.next_id),
                              memory_order_relaxed);
        if (!me->is_checked)
            return;
        me->is_checked = false;
        record_live(me);
        go_on(boundaries);
        pthread_mutex_unlock(&collector.lock);
    }
}

/* Whether nothing is recorded as released by the collections. What is, was there at the last
 * boundary and is not when the program ends: a trace without another boundary cannot say so. */
static bool releases_nothing(struct thread *me)
{
    size_t before = written(me);
    bool has_memory = collect_wholly(me);
    collector.end = atomic_load(&collector.end_at_boundary);
    return has_memory && written(me) == before;
}

/* The thread that ends the virtual machine need not be one of the program: it gets a ring, and
 * no id. A garbage collector with threads of its own has stopped them by now: who asks for a
 * collection waits for ever (ZGC), or gets none (Shenandoah). */
void collect_at_end(JNIEnv *jni)
{
    struct thread me = {.jni = jni};
    if (!tracer.settings.checks || !atomic_load(&tracer.is_active) || collector.has_threads)
        return;
    me.ring = ring_new(0);
    if (!me.ring) {
        tracer_out_of_memory();
        return;
    }
    merger_add(tracer.merger, me.ring);
    pthread_mutex_lock(&collector.lock);
    if (releases_nothing(&me))
        record_live(&me);
    pthread_mutex_unlock(&collector.lock);
    atomic_store(&me.ring->is_ended, true);
}

void collect_forget(const struct thread *me)
{
    const struct thread *expected = me;
    atomic_compare_exchange_strong(&collector.pending, &expected, NULL);
}
