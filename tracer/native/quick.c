/* SPDX-License-Identifier: MIT */
/* A thread in the table may write stores and reads from Java while fewer words than
 * `store_end` have been written to its ring, and calls and allocations while they are fewer
 * than `call_end`; 0 makes it call the native probes. Only the thread itself changes these
 * limits, at the end of each native probe, so no other thread waits for it. Other threads ask
 * it to look at something through quick_attention. */
#include "quick.h"

#include "header.h"
#include "trace_limits.h"

#include <stddef.h>
#include <sys/mman.h>

/* EttraceRecords.java has these numbers, too. */
enum {
    MOST_THREADS = 1 << 22, /* by their number in Java */
    MOST_TYPES = 1 << 22,
    LETTERS = 32,
    IDS = 256, /* ids that a thread takes at once */
};

#define IS_AT(structure, member, place)                                                        \
    _Static_assert(offsetof(struct structure, member) == (place), #member)
IS_AT(ring, next, 0);
IS_AT(ring, stamp, 16);
IS_AT(ring, words, 24);
IS_AT(ring, written, 64);
_Static_assert(RING_WORDS == 1 << 16, "words of a ring");
IS_AT(thread, store_end, 0);
IS_AT(thread, call_end, 8);
IS_AT(thread, next_id, 16);
IS_AT(thread, end_id, 24);
IS_AT(thread, calls.frames, 32);
IS_AT(thread, calls.frame_count, 40);
IS_AT(thread, calls.frame_capacity, 48);
IS_AT(thread, calls.allocations, 56);
IS_AT(thread, calls.allocation_count, 64);
IS_AT(thread, calls.allocation_capacity, 72);
IS_AT(thread, calls.variables, 80);
IS_AT(thread, calls.variable_count, 88);
IS_AT(thread, calls.variable_capacity, 96);
IS_AT(thread, uses.segment, 144);
IS_AT(thread, uses.end, 152);
IS_AT(thread, uses.saved, 160);
IS_AT(thread, uses.stamp, 168);
IS_AT(thread, uses.slots, 176);
_Static_assert(LATEST_USES == 128, "slots");
IS_AT(open_frame, method, 0);
IS_AT(open_frame, is_missing, 4);
IS_AT(open_frame, receiver, 8);
IS_AT(open_frame, allocations, 16);
IS_AT(open_frame, variables, 20);
_Static_assert(sizeof(struct open_frame) == 24, "a frame");
IS_AT(begun_allocation, type, 0);
IS_AT(begun_allocation, site, 4);

_Atomic uint32_t quick_attention;

struct thread_place {
    struct ring *ring; /* NULL: the thread does not write from Java */
    struct thread *thread;
};

static struct {
    struct thread_place *threads;
    _Atomic uint64_t *stamp;
    _Atomic uint32_t *attention;
    uint32_t *
        sizes; /* by type: bytes, or of arrays bytes of the header << 8 | shift of an element */
    _Atomic uint8_t *constants;
    uint64_t alignment;        /* of objects; 0: it is not known */
    uint64_t is_exact;         /* the level */
    uint64_t leaves_out;       /* uses that say nothing new, at the level exact */
    uint32_t layouts[LETTERS]; /* from EttraceRecords: as `sizes`, by element, from 'A' on */
} shared;

static jfieldID thread_number, thread_machine;

/* What all sizes of objects are multiples of, by the first two that differ; 0: it is not
 * known. */
static uint64_t alignment(JNIEnv *jni)
{
    enum { MOST = 512 };
    jlong first = 0, size = 0;
    for (jint length = 0; length <= MOST && size == first; length++) {
        jobject bytes = (*jni)->NewByteArray(jni, length);
        if (!bytes || (*tracer.jvmti)->GetObjectSize(tracer.jvmti, bytes, &size)) {
            (*jni)->ExceptionClear(jni);
            return 0;
        }
        (*jni)->DeleteLocalRef(jni, bytes);
        first = length ? first : size;
    }
    return (uint64_t)(size - first);
}

void *quick_room(size_t size)
{
    void *place = mmap(NULL, size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return place == MAP_FAILED ? NULL : place;
}

bool quick_open(JNIEnv *jni)
{
    jclass thread = (*jni)->FindClass(jni, "java/lang/Thread");
    thread_number = thread ? (*jni)->GetFieldID(jni, thread, "tid", "J") : NULL;
    thread_machine = thread_number ? (*jni)->GetFieldID(jni, thread, "eetop", "J") : NULL;
    (*jni)->ExceptionClear(jni);
    shared.threads = quick_room(MOST_THREADS * sizeof *shared.threads);
    shared.sizes = quick_room(MOST_TYPES * sizeof *shared.sizes);
    shared.stamp = &merger_stamp;
    shared.attention = &quick_attention;
    shared.constants = tracer.constants_recorded;
    shared.alignment = alignment(jni);
    shared.is_exact = tracer.settings.level == LEVEL_EXACT;
    shared.leaves_out = shared.is_exact && tracer.leaves_out_repeats;
    return shared.threads && shared.sizes;
}

const void *quick_shared(void)
{
    return &shared;
}

/* Whether probes in Java record all that the native ones would. They write two fields of a
 * frame at once, which are in this order only on a little-endian processor. */
static bool is_enough(void)
{
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && header_is_used &&
           tracer.settings.level != LEVEL_ET3 && !tracer.settings.truth && shared.threads &&
           thread_machine;
}

/* Where probes in Java find the thread while they run as that one; NULL: they do not. */
static struct thread_place *give_place(struct thread *me, jthread object)
{
    jlong number = (*me->jni)->GetLongField(me->jni, object, thread_number);
    if (number <= 0 || number >= MOST_THREADS)
        return NULL;
    shared.threads[number] = (struct thread_place){me->ring, me};
    return &shared.threads[number];
}

static void take_place(struct thread_place **place)
{
    if (*place)
        **place = (struct thread_place){NULL, NULL};
    *place = NULL;
}

void quick_add(struct thread *me, jthread object)
{
    if (!is_enough() || !(*me->jni)->GetLongField(me->jni, object, thread_machine))
        return;
    me->place = give_place(me, object);
    quick_gate(me);
}

void quick_mount(struct thread *me, jthread object)
{
    if (me->place)
        me->mounted = give_place(me, object);
}

void quick_unmount(struct thread *me)
{
    take_place(&me->mounted);
}

void quick_remove(struct thread *me)
{
    take_place(&me->place);
}

/* Takes a batch of ids for the thread. Not where ids do not fit into headers, or where objects
 * also need tags, since probes in Java set none. */
static void take_ids(struct thread *me)
{
    if (tracer.tags_too || atomic_load(&tracer.next_id) > HEADER_MOST - IDS)
        return;
    uint64_t first = atomic_fetch_add_explicit(&tracer.next_id, IDS, memory_order_relaxed);
    if (first > HEADER_MOST - IDS)
        return;
    me->next_id = first;
    me->end_id = first + IDS;
}

/* What a probe in Java writes at once takes no more words than two of the longest records. */
void quick_set_ends(struct thread *me)
{
    const struct ring *ring = me->ring;
    me->store_end = me->call_end = 0;
    if (me->suspended || me->postponed_count || me->prepared.count ||
        me->calls.unwinding.method || quick_attends(UINT32_MAX))
        return;
    me->store_end = ring->limit + 1;
    /* As thread_words; nothing reads the clock at the level "exact". */
    uint64_t due = shared.is_exact ? UINT64_MAX : me->wound + LASTING_WORDS;
    if (!tracer.settings.checks && !limits_has_last())
        me->call_end = lesser(ring->limit > RECORD_WORDS ? ring->limit + 1 - RECORD_WORDS : 0,
                              due > me->uses.saved ? due - me->uses.saved : 0);
    if (me->next_id == me->end_id)
        take_ids(me);
}

uint64_t quick_take_id(struct thread *me)
{
    if (me->next_id == me->end_id)
        return atomic_fetch_add_explicit(&tracer.next_id, 1, memory_order_relaxed);
    return me->next_id++;
}

void quick_know_size(uint32_t type, uint32_t size)
{
    if (shared.sizes && type < MOST_TYPES)
        shared.sizes[type] = size;
}

void quick_know_array(uint32_t type, char element, jint length, jlong size)
{
    uint32_t layout =
        element >= 'A' && element < 'A' + LETTERS ? shared.layouts[element - 'A'] : 0;
    uint64_t bytes = (layout >> 8) + ((uint64_t)length << (layout & 0xff));
    if (!layout || !shared.sizes || type >= MOST_TYPES)
        return;
    bytes = (bytes + shared.alignment - 1) / shared.alignment * shared.alignment;
    if (bytes == (uint64_t)size)
        shared.sizes[type] = layout;
}
