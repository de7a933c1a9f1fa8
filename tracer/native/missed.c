/* SPDX-License-Identifier: MIT */
/* A class that is prepared in a thread that does the agent's work is put into a list, and the
 * classes of the list are instrumented when a method of the program begins. Their initializers
 * may have run by then, without probes, so what their static fields hold is recorded. */
#include "missed.h"

#include "base/memory.h"
#include "native_code.h"
#include "objects.h"
#include "probes.h"
#include "quick.h"

#include <stdio.h>
#include <stdlib.h>

static struct {
    pthread_mutex_t lock;
    jclass *classes; /* global references */
    size_t count, capacity;
} missed = {.lock = PTHREAD_MUTEX_INITIALIZER};

bool missed_start(jvmtiEnv *jvmti)
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

void JNICALL missed_prepared(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jclass java_class)
{
    jboolean fits = JNI_FALSE;
    (void)thread;
    if (thread_is_suspended() && (*jvmti)->IsModifiableClass(jvmti, java_class, &fits) == 0 &&
        fits && !is_own(jvmti, java_class))
        add(jni, java_class);
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

void missed_offer(JNIEnv *jni)
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
