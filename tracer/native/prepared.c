/* SPDX-License-Identifier: MIT */
/* A class that a thread of the program prepares is put into a list of the thread, whose next
 * probe records the object of the class: so its allocation is where it was made. What the
 * static fields of a class without probes hold is recorded by a later probe, after its
 * initializer.
 *
 * A class that is prepared in a thread that does the agent's work is put into a list of all,
 * and the classes of this list are instrumented when a method of the program begins. Their
 * initializers may have run by then, without probes, so what their static fields hold is
 * recorded. */
#include "prepared.h"

#include "base/memory.h"
#include "native_code.h"
#include "objects.h"
#include "probes.h"
#include "quick.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    pthread_mutex_t lock;
    jclass *classes; /* global references */
    size_t count, capacity;
} missed = {.lock = PTHREAD_MUTEX_INITIALIZER};

bool prepared_start(jvmtiEnv *jvmti)
{
    return (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_CLASS_PREPARE,
                                              NULL) == 0;
}

static void add(JNIEnv *jni, jclass java_class)
{
    jclass kept = native_code_keep(jni, java_class);
    pthread_mutex_lock(&missed.lock);
    jclass *classes =
        array_grow(missed.classes, &missed.capacity, missed.count + 1, sizeof *classes);
    if (classes)
        missed.classes = classes;
    if (classes && kept) {
        classes[missed.count++] = kept;
        quick_attend(ATTEND_MISSED);
    } else {
        native_code_drop(jni, kept);
        tracer_out_of_memory();
    }
    pthread_mutex_unlock(&missed.lock);
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

static void append(struct thread *me, struct held_classes *list, jclass java_class)
{
    jclass *items = array_grow(list->items, &list->capacity, list->count + 1, sizeof *items);
    if (items)
        list->items = items;
    jclass kept = items ? native_code_keep(me->jni, java_class) : NULL;
    if (kept)
        items[list->count++] = kept;
    else
        tracer_out_of_memory();
}

/* Notes that the thread has prepared the class. The virtual machine holds a lock of the class
 * now, for which other threads may wait, so a later probe records its object. */
static void note(struct thread *me, jclass java_class)
{
    append(me, &me->prepared, java_class);
    quick_gate(me);
}

void JNICALL prepared_class(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jclass java_class)
{
    jboolean fits = JNI_FALSE;
    struct thread *me = thread_current;
    bool is_traced = atomic_load(&tracer.is_active) && tracer.settings.level != LEVEL_ET3;
    (void)thread;
    if (is_own(jvmti, java_class))
        return;
    if (!thread_is_suspended() && is_traced && me)
        note(me, java_class);
    else if (thread_is_suspended() &&
             (*jvmti)->IsModifiableClass(jvmti, java_class, &fits) == 0 && fits)
        add(jni, java_class);
}

/* Whether that is a static field of the class which holds a string. */
static bool holds_string(JNIEnv *jni, jclass java_class, jfieldID field)
{
    enum { STATIC = 8 };
    jint modifiers = 0;
    char *type = NULL;
    jvmtiEnv *jvmti = tracer.jvmti;
    if ((*jvmti)->GetFieldModifiers(jvmti, java_class, field, &modifiers) != 0 ||
        !(modifiers & STATIC) ||
        (*jvmti)->GetFieldName(jvmti, java_class, field, NULL, &type, NULL) != 0)
        return false;
    bool is_string = strcmp(type, "Ljava/lang/String;") == 0;
    jobject value = is_string ? (*jni)->GetStaticObjectField(jni, java_class, field) : NULL;
    (*jni)->DeleteLocalRef(jni, value);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)type);
    return value != NULL;
}

/* Whether the class has constants that are objects: strings, in its static fields. */
static bool has_constants(JNIEnv *jni, jclass java_class)
{
    jint count = 0;
    jfieldID *fields = NULL;
    if ((*tracer.jvmti)->GetClassFields(tracer.jvmti, java_class, &count, &fields) != 0)
        return false;
    jint i = 0;
    while (i < count && !holds_string(jni, java_class, fields[i]))
        i++;
    (*tracer.jvmti)->Deallocate(tracer.jvmti, (unsigned char *)fields);
    return i < count;
}

static bool is_initialized(jclass java_class)
{
    jint status = 0;
    (*tracer.jvmti)->GetClassStatus(tracer.jvmti, java_class, &status);
    return status & (JVMTI_CLASS_STATUS_INITIALIZED | JVMTI_CLASS_STATUS_ERROR);
}

/* Names the object of the class, and records its constants. Whether this is done. */
static bool record_prepared(struct thread *me, jclass java_class)
{
    object_id(me, java_class, 0);
    if (has_constants(me->jni, java_class))
        object_statics(me, java_class, false);
    objects_settle(me);
    if (!me->is_failing && !class_has_probes(java_class))
        append(me, &me->uninitialized, java_class);
    return !me->is_failing;
}

/* Records the static fields of a class without probes, if its initializer has run. Whether
 * nothing is left to do. */
static bool record_initialized(struct thread *me, jclass java_class)
{
    bool is_time = is_initialized(java_class);
    if (is_time)
        object_statics(me, java_class, false);
    return is_time && !me->is_failing;
}

/* Drops the classes of the list for which that is done, until the probe fails. */
static void record_list(struct thread *me, struct held_classes *list,
                        bool (*is_done)(struct thread *me, jclass java_class))
{
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++)
        if (!me->is_failing && is_done(me, list->items[i]))
            native_code_drop(me->jni, list->items[i]);
        else
            list->items[kept++] = list->items[i];
    list->count = kept;
}

void prepared_record_all(struct thread *me)
{
    if (!objects_have_stack(me))
        return;
    record_list(me, &me->prepared, record_prepared);
    record_list(me, &me->uninitialized, record_initialized);
    if (me->is_failing)
        objects_put_off(me);
}

static void release(JNIEnv *jni, struct held_classes *list)
{
    for (size_t i = 0; i < list->count; i++)
        native_code_drop(jni, list->items[i]);
    free(list->items);
}

void prepared_release(struct thread *me)
{
    release(me->jni, &me->prepared);
    release(me->jni, &me->uninitialized);
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

void prepared_offer_missed(JNIEnv *jni)
{
    pthread_mutex_lock(&missed.lock);
    jclass *classes = missed.classes;
    size_t count = missed.count;
    missed.classes = NULL;
    missed.count = missed.capacity = 0;
    quick_attended(ATTEND_MISSED);
    pthread_mutex_unlock(&missed.lock);
    for (size_t i = 0; i < count; i++) {
        object_class_missed(jni, classes[i]);
        jvmtiError error = (*tracer.jvmti)->RetransformClasses(tracer.jvmti, 1, &classes[i]);
        if (error)
            report(classes[i], error);
        probes_statics(jni, classes[i]);
        native_code_drop(jni, classes[i]);
    }
    free(classes);
}
