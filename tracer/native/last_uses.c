/* SPDX-License-Identifier: MIT */
/* A walk over the roots of the heap finds what variables hold. During the walk nothing of the
 * virtual machine may be called, so the objects are only noted. */
#include "last_uses.h"

#include "header.h"
#include "objects.h"

#include "base/memory.h"

#include <stdlib.h>

enum { NO_THREAD = -1 };

/* Objects that variables hold, and the ids of their threads; 0: it is not known. Those that
 * have their id in the header alone get a tag, since the walk cannot read it: minus that of the
 * thread, or NO_THREAD, which is none's. */
struct held_objects {
    struct held_object {
        uint64_t id, thread;
    } *items;
    size_t count, capacity;
    jlong *tags;
    jint tag_count; /* 0: no object has got a tag */
    size_t tag_capacity;
};

static jint JNICALL note_variable(jvmtiHeapReferenceKind kind,
                                  const jvmtiHeapReferenceInfo *info, jlong class_id,
                                  jlong from_class, jlong size, jlong *tag, jlong *from,
                                  jint length, void *context)
{
    struct held_objects *held = context;
    (void)class_id, (void)from_class, (void)size, (void)from, (void)length;
    if (kind != JVMTI_HEAP_REFERENCE_STACK_LOCAL)
        return 0;
    jlong thread = info->stack_local.thread_tag > 0 ? info->stack_local.thread_tag : 0;
    if (*tag > 0 && ARRAY_RESERVE(held->items, held->capacity, held->count + 1))
        held->items[held->count++] = (struct held_object){(uint64_t)*tag, (uint64_t)thread};
    else if (*tag > 0)
        tracer_out_of_memory();
    else if (held->tag_count > 0)
        *tag = thread > 0 ? -thread : NO_THREAD;
    return 0; /* what the object refers to is not visited */
}

/* Has the walk find the ids of platform threads, which may be in their headers. */
static void tag_threads(struct thread *me, struct held_objects *held)
{
    jint count = 0;
    jthread *threads = NULL;
    if ((*tracer.jvmti)->GetAllThreads(tracer.jvmti, &count, &threads))
        return;
    if (ARRAY_RESERVE(held->tags, held->tag_capacity, (size_t)count + 1))
        held->tags[held->tag_count++] = NO_THREAD;
    for (jint i = 0; i < count; i++) {
        uint64_t id = held->tag_count > 0 ? object_known(me, threads[i]) : 0;
        if (id && (*tracer.jvmti)->SetTag(tracer.jvmti, threads[i], (jlong)id) == 0)
            held->tags[held->tag_count++] = -(jlong)id;
        (*me->jni)->DeleteLocalRef(me->jni, threads[i]);
    }
    (*tracer.jvmti)->Deallocate(tracer.jvmti, (unsigned char *)threads);
}

/* Records that the thread uses the object, if it has an id. */
static void record_use(struct thread *me, uint64_t id, uint64_t thread)
{
    if (thread)
        record(me, RECORD_THREAD, 0, 1, &thread);
    record_read(me, id, 0);
    if (thread)
        record(me, RECORD_THREAD, 0, 1, &me->id);
}

/* The tags stay, since another thread may have given an object its id meanwhile; as ids, they
 * are none. */
static void use_tagged(struct thread *me, const struct held_objects *held)
{
    jint count = 0;
    jobject *objects = NULL;
    jlong *tags = NULL;
    if ((*tracer.jvmti)
            ->GetObjectsWithTags(tracer.jvmti, held->tag_count, held->tags, &count, &objects,
                                 &tags))
        return;
    for (jint i = 0; i < count; i++) {
        record_use(me, object_known(me, objects[i]),
                   tags[i] == NO_THREAD ? 0 : (uint64_t)-tags[i]);
        (*me->jni)->DeleteLocalRef(me->jni, objects[i]);
    }
    (*tracer.jvmti)->Deallocate(tracer.jvmti, (unsigned char *)objects);
    (*tracer.jvmti)->Deallocate(tracer.jvmti, (unsigned char *)tags);
}

void last_uses_record(struct thread *me)
{
    struct held_objects held = {.items = NULL};
    jvmtiHeapCallbacks callbacks = {.heap_reference_callback = note_variable};
    /* With --truth, threads that are between two virtual ones may wait for this one, and the
     * walk would wait for them. */
    if (tracer.settings.level == LEVEL_ET3 || tracer.settings.truth)
        return;
    if (header_is_used)
        tag_threads(me, &held);
    (*tracer.jvmti)->FollowReferences(tracer.jvmti, 0, NULL, NULL, &callbacks, &held);
    for (size_t i = 0; i < held.count; i++)
        record_use(me, held.items[i].id, held.items[i].thread);
    if (held.tag_count > 0)
        use_tagged(me, &held);
    free(held.items);
    free(held.tags);
}
