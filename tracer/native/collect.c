/* SPDX-License-Identifier: MIT */
/* A collection, then a walk over the heap: what had an id and is not met any more has died. The
 * objects below tracer.first_new were there before; --check does not count them. */
#include "collect.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    FIRST_INTERVAL = 1000, /* boundaries between two checks at first */
    WAIT_LOOKS = 40,       /* for a thread that leaves a frame */
    WAIT_NANOSECONDS = 50000,
};

struct collector {
    pthread_mutex_t lock;
    _Atomic uint64_t boundaries;
    _Atomic uint64_t next_check;
    uint64_t interval, checks;            /* done with this interval */
    const struct thread *_Atomic pending; /* has left a frame, and its collection is due */
    uint64_t *alive;                      /* ids */
    size_t alive_count, alive_capacity;
    uint64_t listed; /* ids up to it were in `alive` */
    uint8_t *met;    /* by id */
    size_t met_capacity;
    uint64_t objects, bytes;
    uint64_t first; /* id that counts */
};

static struct collector collector = {.lock = PTHREAD_MUTEX_INITIALIZER,
                                     .next_check = FIRST_INTERVAL,
                                     .interval = FIRST_INTERVAL};

static jint JNICALL meet(jlong class_tag, jlong size, jlong *tag, jint length, void *context)
{
    struct collector *into = context;
    (void)class_tag;
    (void)length;
    if (*tag > 0 && (size_t)*tag < into->met_capacity) {
        into->met[*tag] = 1;
        if ((uint64_t)*tag >= into->first) {
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

/* Collects and records each object that is gone; whether there was memory for it. */
static bool collect(struct thread *me, char letter)
{
    jvmtiHeapCallbacks callbacks = {.heap_iteration_callback = meet};
    if (!list_new())
        return false;
    collector.objects = collector.bytes = 0;
    (*tracer.jvmti)->ForceGarbageCollection(tracer.jvmti);
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
    return true;
}

static void check(struct thread *me)
{
    pthread_mutex_lock(&collector.lock);
    uint64_t boundaries = atomic_load(&collector.boundaries);
    if (boundaries >= atomic_load(&collector.next_check)) {
        collector.first = tracer.first_new;
        if (collect(me, RECORD_GONE))
            record(me, RECORD_LIVE, 0, 2, (uint64_t[]){collector.objects, collector.bytes});
        if (++collector.checks >= tracer.settings.checks) {
            collector.interval *= 2;
            collector.checks /= 2;
        }
        atomic_store(&collector.next_check, boundaries + collector.interval);
    }
    pthread_mutex_unlock(&collector.lock);
}

static void truth(struct thread *me)
{
    atomic_store(&collector.pending, NULL);
    collector.first = tracer.first_object;
    collect(me, 'D');
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

void collect_at_boundary(struct thread *me, bool now)
{
    if (tracer.settings.truth && now) {
        truth(me);
    } else if (tracer.settings.truth) {
        atomic_store(&collector.pending, me);
    } else {
        uint64_t boundaries =
            atomic_fetch_add_explicit(&collector.boundaries, 1, memory_order_relaxed) + 1;
        if (now &&
            boundaries >= atomic_load_explicit(&collector.next_check, memory_order_relaxed))
            check(me);
    }
}

void collect_forget(const struct thread *me)
{
    const struct thread *expected = me;
    atomic_compare_exchange_strong(&collector.pending, &expected, NULL);
}
