/* SPDX-License-Identifier: MIT */
/* A weak reference of the tracer to what a collection may clear shows afterwards whether it has
 * done so. */
#include "cleared.h"

#include "native_code.h"
#include "objects.h"
#include "quick.h"

#include "base/memory.h"

#include <string.h>

/* Classes: the virtual machine has an event for their unloading, but in its handler nothing can
 * be asked or recorded. */

static struct {
    jobject platform, system; /* the class loaders whose classes are never unloaded */
    pthread_mutex_t lock;
    struct watched_class {
        jweak java_class;
        uint64_t id;
    } *classes;
    size_t count, capacity;
} watch = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* A global reference to the loader that a method of ClassLoader returns; NULL: there is none.
 */
static jobject loader(JNIEnv *jni, jclass owner, const char *method)
{
    jmethodID id =
        owner ? (*jni)->GetStaticMethodID(jni, owner, method, "()Ljava/lang/ClassLoader;")
              : NULL;
    jobject found = id ? (*jni)->CallStaticObjectMethod(jni, owner, id) : NULL;
    if ((*jni)->ExceptionCheck(jni)) {
        (*jni)->ExceptionClear(jni);
        return NULL;
    }
    jobject kept = found ? native_code_keep(jni, found) : NULL;
    (*jni)->DeleteLocalRef(jni, found);
    return kept;
}

bool unloading_start(JNIEnv *jni)
{
    jclass owner = (*jni)->FindClass(jni, "java/lang/ClassLoader");
    watch.platform = loader(jni, owner, "getPlatformClassLoader");
    watch.system = loader(jni, owner, "getSystemClassLoader");
    (*jni)->DeleteLocalRef(jni, owner);
    return watch.platform && watch.system;
}

bool unloading_is_possible(JNIEnv *jni, jclass java_class, const char *signature)
{
    jobject of = NULL;
    if (strchr(signature, '.')) /* hidden */
        return true;
    if (!watch.system || (*tracer.jvmti)->GetClassLoader(tracer.jvmti, java_class, &of) || !of)
        return false;
    bool stays = (*jni)->IsSameObject(jni, of, watch.platform) ||
                 (*jni)->IsSameObject(jni, of, watch.system);
    (*jni)->DeleteLocalRef(jni, of);
    return !stays;
}

static void add(JNIEnv *jni, jclass java_class, uint64_t id)
{
    jweak weak = object_weak_reference(jni, java_class);
    pthread_mutex_lock(&watch.lock);
    struct watched_class *classes =
        array_grow(watch.classes, &watch.capacity, watch.count + 1, sizeof *classes);
    if (classes)
        watch.classes = classes;
    if (classes && weak) {
        classes[watch.count++] = (struct watched_class){weak, id};
        weak = NULL;
    } else {
        tracer_out_of_memory();
    }
    pthread_mutex_unlock(&watch.lock);
    if (weak)
        (*jni)->DeleteWeakGlobalRef(jni, weak);
}

void unloading_held(struct thread *me, jclass java_class, uint64_t id)
{
    char *signature;
    record_store(me, 0, id, FIELD_HELD + id);
    if ((*tracer.jvmti)->GetClassSignature(tracer.jvmti, java_class, &signature, NULL))
        return;
    if (unloading_is_possible(me->jni, java_class, signature))
        add(me->jni, java_class, id);
    (*tracer.jvmti)->Deallocate(tracer.jvmti, (unsigned char *)signature);
}

void unloading_record(struct thread *me)
{
    size_t kept = 0;
    quick_attended(ATTEND_UNLOADING);
    pthread_mutex_lock(&watch.lock);
    for (size_t i = 0; i < watch.count; i++) {
        struct watched_class *one = &watch.classes[i];
        if ((*me->jni)->IsSameObject(me->jni, one->java_class, NULL)) {
            record_store(me, 0, 0, FIELD_HELD + one->id);
            (*me->jni)->DeleteWeakGlobalRef(me->jni, one->java_class);
        } else {
            watch.classes[kept++] = *one;
        }
    }
    watch.count = kept;
    pthread_mutex_unlock(&watch.lock);
}

/* Soft references: to read one itself would make a concurrent collector keep the referent. */

static struct {
    pthread_mutex_t lock;
    struct watched_reference {
        jweak reference, referent;
        uint64_t id;
        uint32_t field;
    } *references;
    size_t count, capacity;
    uint64_t looked; /* ring_total at the last look */
} soft = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void forget(JNIEnv *jni, const struct watched_reference *one)
{
    if (one->reference)
        (*jni)->DeleteWeakGlobalRef(jni, one->reference);
    if (one->referent)
        (*jni)->DeleteWeakGlobalRef(jni, one->referent);
}

void soft_stored(struct thread *me, jobject reference, uint64_t id, jobject referent,
                 uint32_t field)
{
    struct watched_reference one = {.id = id, .field = field};
    if (!referent)
        return;
    one.reference = object_weak_reference(me->jni, reference);
    one.referent = object_weak_reference(me->jni, referent);
    pthread_mutex_lock(&soft.lock);
    struct watched_reference *references =
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
static bool is_done(struct thread *me, const struct watched_reference *one)
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

/* The thread that passes references on */

static struct {
    jclass thread, no_queue; /* NULL: unknown; the class of what stands for no queue */
    jfieldID queue;
} passing;

static jclass find_class(JNIEnv *jni, const char *name)
{
    jclass found = (*jni)->FindClass(jni, name);
    (*jni)->ExceptionClear(jni);
    jclass kept = found ? native_code_keep(jni, found) : NULL;
    (*jni)->DeleteLocalRef(jni, found);
    return kept;
}

void passing_start(JNIEnv *jni)
{
    jclass reference = (*jni)->FindClass(jni, "java/lang/ref/Reference");
    passing.queue = reference ? (*jni)->GetFieldID(jni, reference, "queue",
                                                   "Ljava/lang/ref/ReferenceQueue;")
                              : NULL;
    (*jni)->ExceptionClear(jni);
    (*jni)->DeleteLocalRef(jni, reference);
    if (!passing.queue)
        return;
    passing.no_queue = find_class(jni, "java/lang/ref/ReferenceQueue$Null");
    passing.thread = find_class(jni, "java/lang/ref/Reference$ReferenceHandler");
}

bool passing_is_done_by(JNIEnv *jni, jthread thread)
{
    return passing.thread && passing.no_queue &&
           (*jni)->IsInstanceOf(jni, thread, passing.thread);
}

bool passing_has_end(JNIEnv *jni, jobject reference)
{
    jobject queue = (*jni)->GetObjectField(jni, reference, passing.queue);
    bool has_end = queue && (*jni)->IsInstanceOf(jni, queue, passing.no_queue);
    (*jni)->DeleteLocalRef(jni, queue);
    return has_end;
}
