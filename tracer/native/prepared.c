/* SPDX-License-Identifier: MIT */
/* A class that a thread of the program prepares is put into a list of the thread, whose next
 * probe records the object of the class: so its allocation is where it was made. What the
 * static fields of a class without probes hold is recorded when a thread looks after its
 * initializer has run. The lists keep no class alive.
 *
 * A class that is prepared in a thread that does the agent's work is put into a list of all,
 * and the classes of this list are instrumented when a method of the program begins. Their
 * initializers may have run by then, without probes, so what their static fields hold is
 * recorded. */
#include "prepared.h"

#include "base/memory.h"
#include "objects.h"
#include "probes.h"
#include "quick.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A list of all threads. */
struct shared_classes {
    pthread_mutex_t lock;
    struct prepared_classes list;
};

/* Classes that the agent was not offered. */
static struct shared_classes missed = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Classes that any thread may record: they were prepared by a thread that had no structure, or
 * have no probes and were not initialized when a thread looked. */
static struct shared_classes waiting = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void append(JNIEnv *jni, struct prepared_classes *list, jclass java_class)
{
    jweak kept = object_weak_reference(jni, java_class);
    if (kept && ARRAY_RESERVE(list->items, list->capacity, list->count + 1)) {
        list->items[list->count++] = (struct prepared){kept, false};
        return;
    }
    if (kept)
        (*jni)->DeleteWeakGlobalRef(jni, kept);
    tracer_out_of_memory();
}

static void append_shared(JNIEnv *jni, struct shared_classes *shared, jclass java_class)
{
    pthread_mutex_lock(&shared->lock);
    append(jni, &shared->list, java_class);
    pthread_mutex_unlock(&shared->lock);
}

/* Empties the list. */
static void drop(JNIEnv *jni, struct prepared_classes *list)
{
    for (size_t i = 0; i < list->count; i++)
        (*jni)->DeleteWeakGlobalRef(jni, list->items[i].class_object);
    list->count = 0;
}

bool prepared_start(jvmtiEnv *jvmti)
{
    return (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_CLASS_PREPARE,
                                              NULL) == 0;
}

static bool is_own(jvmtiEnv *jvmti, jclass java_class)
{
    char *signature = NULL;
    if ((*jvmti)->GetClassSignature(jvmti, java_class, &signature, NULL) != 0)
        return false;
    bool is = class_is_own(signature);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
    return is;
}

/* Notes that the thread has prepared the class. The virtual machine holds a lock of the class
 * now, for which other threads may wait, so a later probe records its object: of this thread,
 * or of any if it has no structure yet. */
static void note(JNIEnv *jni, struct thread *me, jclass java_class)
{
    if (me) {
        append(jni, &me->prepared, java_class);
        quick_gate(me);
    } else {
        append_shared(jni, &waiting, java_class);
    }
}

void JNICALL prepared_class(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jclass java_class)
{
    jboolean fits = JNI_FALSE;
    bool is_traced = atomic_load(&tracer.is_active) && tracer.settings.level != LEVEL_ET3;
    (void)thread;
    if (is_own(jvmti, java_class))
        return;
    if (!thread_is_suspended() && is_traced) {
        note(jni, thread_current, java_class);
    } else if (thread_is_suspended() &&
               (*jvmti)->IsModifiableClass(jvmti, java_class, &fits) == 0 && fits) {
        append_shared(jni, &missed, java_class);
        quick_attend(ATTEND_MISSED);
    }
}

/* Whether that is a static field of the class which holds a string. */
static bool holds_string(JNIEnv *jni, jclass java_class, jfieldID field)
{
    enum { STATIC = 8 };
    jint modifiers = 0;
    char *type = NULL;
    jobject value = NULL;
    jvmtiEnv *jvmti = tracer.jvmti;
    if ((*jvmti)->GetFieldModifiers(jvmti, java_class, field, &modifiers) != 0 ||
        !(modifiers & STATIC) ||
        (*jvmti)->GetFieldName(jvmti, java_class, field, NULL, &type, NULL) != 0)
        return false;
    if (strcmp(type, "Ljava/lang/String;") == 0)
        value = (*jni)->GetStaticObjectField(jni, java_class, field);
    bool holds = value != NULL;
    (*jni)->DeleteLocalRef(jni, value);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)type);
    return holds;
}

/* Records the constants that are objects: strings, in static fields. Only if there are any are
 * the facts of the class made, with numbers for all of its fields. */
static void record_constants(struct thread *me, jclass java_class)
{
    jint count = 0;
    jfieldID *fields = NULL;
    if ((*tracer.jvmti)->GetClassFields(tracer.jvmti, java_class, &count, &fields) != 0)
        return;
    for (jint i = 0; i < count; i++)
        if (holds_string(me->jni, java_class, fields[i]))
            object_static(me, java_class, fields[i]);
    (*tracer.jvmti)->Deallocate(tracer.jvmti, (unsigned char *)fields);
}

static bool is_initialized(jclass java_class)
{
    jint status = 0;
    (*tracer.jvmti)->GetClassStatus(tracer.jvmti, java_class, &status);
    return status & (JVMTI_CLASS_STATUS_INITIALIZED | JVMTI_CLASS_STATUS_ERROR);
}

/* Whether code without probes will store into static fields of the class. */
static bool has_unseen_statics(JNIEnv *jni, jclass java_class)
{
    const struct class_facts *facts =
        class_has_probes(java_class) ? NULL : class_facts(jni, java_class);
    return facts && facts->static_count > 0;
}

/* Records the object of the class and its constants, and what its static fields hold after an
 * initializer without probes. Whether nothing is left to do. */
static bool record_class(struct thread *me, struct prepared *one, jclass java_class)
{
    if (!one->is_recorded) {
        object_id(me, java_class, 0);
        objects_settle(me);
        record_constants(me, java_class);
        one->is_recorded = !me->is_failing;
        if (me->is_failing || !has_unseen_statics(me->jni, java_class))
            return !me->is_failing;
    }
    if (!is_initialized(java_class))
        return false;
    object_statics(me, java_class, false);
    return !me->is_failing;
}

/* Records the classes of the list, and drops those that need no more, or are gone. */
static void record_list(struct thread *me, struct prepared_classes *list)
{
    JNIEnv *jni = me->jni;
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        struct prepared *one = &list->items[i];
        jclass java_class = (*jni)->NewLocalRef(jni, one->class_object);
        if (!java_class || (!me->is_failing && record_class(me, one, java_class)))
            (*jni)->DeleteWeakGlobalRef(jni, one->class_object);
        else
            list->items[kept++] = *one;
        (*jni)->DeleteLocalRef(jni, java_class);
    }
    list->count = kept;
}

/* Appends the first list to the second one, and empties it. */
static void move(JNIEnv *jni, struct prepared_classes *from, struct prepared_classes *to)
{
    if (!from->count)
        return;
    if (ARRAY_RESERVE(to->items, to->capacity, to->count + from->count)) {
        memcpy(to->items + to->count, from->items, from->count * sizeof *from->items);
        to->count += from->count;
        from->count = 0;
    } else {
        tracer_out_of_memory();
        drop(jni, from);
    }
}

/* Takes the classes that wait into the thread's own list. */
static void take(struct thread *me)
{
    pthread_mutex_lock(&waiting.lock);
    move(me->jni, &waiting.list, &me->prepared);
    pthread_mutex_unlock(&waiting.lock);
}

/* Has what is in the thread's own list wait. */
static void give(struct thread *me)
{
    pthread_mutex_lock(&waiting.lock);
    move(me->jni, &me->prepared, &waiting.list);
    pthread_mutex_unlock(&waiting.lock);
}

void prepared_record_all(struct thread *me)
{
    if (me->is_failing || !objects_have_stack(me))
        return;
    take(me);
    record_list(me, &me->prepared);
    if (me->is_failing) /* the thread keeps them until it has more stack */
        objects_put_off(me);
    else
        give(me);
}

void prepared_release(struct thread *me)
{
    drop(me->jni, &me->prepared);
    free(me->prepared.items);
}

/* Reports a class that could not be instrumented. */
static void report(jclass java_class, jvmtiError error)
{
    char *signature = NULL, *name = NULL, *text = NULL;
    (*tracer.jvmti)->GetClassSignature(tracer.jvmti, java_class, &signature, NULL);
    (*tracer.jvmti)->GetErrorName(tracer.jvmti, error, &name);
    if (asprintf(&text, "class %s: %s", signature ? signature : "?", name ? name : "?") >= 0) {
        tracer_problem(text);
        free(text);
    } else {
        tracer_out_of_memory();
    }
    (*tracer.jvmti)->Deallocate(tracer.jvmti, (unsigned char *)signature);
    (*tracer.jvmti)->Deallocate(tracer.jvmti, (unsigned char *)name);
}

/* Has the agent instrument the class, and records what its static fields hold. */
static void offer(JNIEnv *jni, jclass java_class)
{
    object_class_missed(jni, java_class);
    jvmtiError error = (*tracer.jvmti)->RetransformClasses(tracer.jvmti, 1, &java_class);
    if (error)
        report(java_class, error);
    probes_statics(jni, java_class);
}

void prepared_offer_missed(JNIEnv *jni)
{
    pthread_mutex_lock(&missed.lock);
    struct prepared_classes list = missed.list;
    missed.list = (struct prepared_classes){0};
    quick_attended(ATTEND_MISSED);
    pthread_mutex_unlock(&missed.lock);
    for (size_t i = 0; i < list.count; i++) {
        jclass java_class = (*jni)->NewLocalRef(jni, list.items[i].class_object);
        if (java_class)
            offer(jni, java_class);
        (*jni)->DeleteLocalRef(jni, java_class);
    }
    drop(jni, &list);
    free(list.items);
}
