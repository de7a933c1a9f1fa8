/* SPDX-License-Identifier: MIT */
/* A weak reference to each class that may be unloaded shows after a collection whether it was.
 * The virtual machine has an event for this, but in its handler nothing can be asked or
 * recorded. */
#include "unloading.h"

#include "native_code.h"
#include "objects.h"
#include "quick.h"

#include "base/memory.h"

#include <string.h>

static struct {
    jobject platform, system; /* the class loaders whose classes are never unloaded */
    pthread_mutex_t lock;
    struct watched {
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
    struct watched *classes =
        array_grow(watch.classes, &watch.capacity, watch.count + 1, sizeof *classes);
    if (classes)
        watch.classes = classes;
    if (classes && weak) {
        classes[watch.count++] = (struct watched){weak, id};
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
        struct watched *one = &watch.classes[i];
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
