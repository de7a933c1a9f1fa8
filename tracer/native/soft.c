/* SPDX-License-Identifier: MIT */
/* A weak reference of the tracer to the referent shows when it is gone. To read the soft
 * reference itself would make a concurrent collector keep the referent. */
#include "soft.h"

#include "objects.h"

#include "base/memory.h"

static struct {
    pthread_mutex_t lock;
    struct watched {
        jweak reference, referent;
        uint64_t id;
        uint32_t field;
    } *references;
    size_t count, capacity;
    uint64_t looked; /* ring_total at the last look */
} soft = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void forget(JNIEnv *jni, const struct watched *one)
{
    if (one->reference)
        (*jni)->DeleteWeakGlobalRef(jni, one->reference);
    if (one->referent)
        (*jni)->DeleteWeakGlobalRef(jni, one->referent);
}

void soft_stored(struct thread *me, jobject reference, uint64_t id, jobject referent,
                 uint32_t field)
{
    struct watched one = {.id = id, .field = field};
    if (!referent)
        return;
    one.reference = object_weak_reference(me->jni, reference);
    one.referent = object_weak_reference(me->jni, referent);
    pthread_mutex_lock(&soft.lock);
    struct watched *references =
        array_grow(soft.references, &soft.capacity, soft.count + 1, sizeof *references);
    bool fits = references && one.reference && one.referent;
    if (references)
        soft.references = references;
    if (fits)
        references[soft.count++] = one;
    pthread_mutex_unlock(&soft.lock);
    if (!fits) {
        forget(me->jni, &one);
        tracer_out_of_memory();
    }
}

/* Whether the reference need not be watched any more: it is cleared, which is recorded, or
 * dead. */
static bool is_done(struct thread *me, const struct watched *one)
{
    if ((*me->jni)->IsSameObject(me->jni, one->reference, NULL))
        return true;
    if (!(*me->jni)->IsSameObject(me->jni, one->referent, NULL))
        return false;
    record_store(me, one->id, 0, one->field);
    return true;
}

void soft_record(struct thread *me, bool all)
{
    uint64_t total = ring_total_now(me->ring);
    size_t kept = 0;
    pthread_mutex_lock(&soft.lock);
    bool is_time = all || total - soft.looked >= soft.count;
    for (size_t i = 0; i < soft.count && is_time; i++) {
        if (is_done(me, &soft.references[i]))
            forget(me->jni, &soft.references[i]);
        else
            soft.references[kept++] = soft.references[i];
    }
    if (is_time) {
        soft.count = kept;
        soft.looked = total;
    }
    pthread_mutex_unlock(&soft.lock);
}
