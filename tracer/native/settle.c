/* SPDX-License-Identifier: MIT */
/* Code of the JDK knows whether the virtual machine has references that it has not passed on
 * yet, and whether others are being put into their queues. A thread that waits has emptied its
 * queue. */
#include "settle.h"

#include <string.h>
#include <time.h>

enum {
    LOOKS = 400,
    WAIT_NANOSECONDS = 250 * 1000,
};

/* The members of the JDK that are asked; 0 if this one does not have them. */
struct questions {
    jclass reference;
    jmethodID is_pending;
    jfieldID is_active;
};

static struct questions ask_how(JNIEnv *jni)
{
    struct questions questions = {.reference =
                                      (*jni)->FindClass(jni, "java/lang/ref/Reference")};
    if (questions.reference) {
        questions.is_pending = (*jni)->GetStaticMethodID(jni, questions.reference,
                                                         "hasReferencePendingList", "()Z");
        (*jni)->ExceptionClear(jni);
        questions.is_active =
            (*jni)->GetStaticFieldID(jni, questions.reference, "processPendingActive", "Z");
    }
    (*jni)->ExceptionClear(jni);
    return questions;
}

static bool is_handing_over(JNIEnv *jni, const struct questions *questions)
{
    return (questions->is_active &&
            (*jni)->GetStaticBooleanField(jni, questions->reference, questions->is_active)) ||
           (questions->is_pending &&
            (*jni)->CallStaticBooleanMethod(jni, questions->reference, questions->is_pending));
}

/* Whether the thread is one that takes references out of a queue. */
static bool empties_a_queue(const char *name)
{
    return strcmp(name, "Common-Cleaner") == 0 || strcmp(name, "Finalizer") == 0 ||
           strncmp(name, "Cleaner-", strlen("Cleaner-")) == 0;
}

static bool is_busy(JNIEnv *jni, jthread thread)
{
    jvmtiThreadInfo info;
    jint state = 0;
    if ((*tracer.jvmti)->GetThreadInfo(tracer.jvmti, thread, &info))
        return false;
    bool takes = empties_a_queue(info.name);
    (*tracer.jvmti)->Deallocate(tracer.jvmti, (unsigned char *)info.name);
    (*jni)->DeleteLocalRef(jni, info.thread_group);
    (*jni)->DeleteLocalRef(jni, info.context_class_loader);
    if (!takes || (*tracer.jvmti)->GetThreadState(tracer.jvmti, thread, &state))
        return false;
    return (state & JVMTI_THREAD_STATE_ALIVE) && !(state & JVMTI_THREAD_STATE_WAITING);
}

static bool any_is_busy(JNIEnv *jni)
{
    jint count = 0;
    jthread *threads = NULL;
    bool any = false;
    if ((*tracer.jvmti)->GetAllThreads(tracer.jvmti, &count, &threads))
        return false;
    for (jint i = 0; i < count; i++) {
        any = any || is_busy(jni, threads[i]);
        (*jni)->DeleteLocalRef(jni, threads[i]);
    }
    (*tracer.jvmti)->Deallocate(tracer.jvmti, (unsigned char *)threads);
    return any;
}

/* Whether the calling thread takes references out of a queue: it would wait for itself. */
static bool is_one_of_them(JNIEnv *jni)
{
    jthread me = NULL;
    if ((*tracer.jvmti)->GetCurrentThread(tracer.jvmti, &me) || !me)
        return false;
    bool is_one = is_busy(jni, me);
    (*jni)->DeleteLocalRef(jni, me);
    return is_one;
}

void settle_references(JNIEnv *jni)
{
    if (is_one_of_them(jni))
        return;
    struct questions questions = ask_how(jni);
    for (int i = 0; i < LOOKS; i++) {
        if (!is_handing_over(jni, &questions) && !any_is_busy(jni))
            break;
        nanosleep(&(struct timespec){.tv_nsec = WAIT_NANOSECONDS}, NULL);
    }
    (*jni)->DeleteLocalRef(jni, questions.reference);
}
