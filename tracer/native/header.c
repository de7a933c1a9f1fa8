/* SPDX-License-Identifier: MIT */
/* Calls Java code from probes. A call fails if the stack overflows, or if another thread
 * throws an exception into this one, which is passed on to the program. An exception of the
 * program that is pending before the call is pending again after it, unless another thread has
 * thrown one. */
#include "header.h"

bool header_is_used;

static struct {
    jclass java_class, overflow;
    jmethodID find, install;
} header;

bool header_start(JNIEnv *jni, jclass java_class)
{
    header.java_class = (*jni)->NewGlobalRef(jni, java_class);
    header.find = (*jni)->GetStaticMethodID(jni, java_class, "find", "(Ljava/lang/Object;)I");
    header.install =
        (*jni)->GetStaticMethodID(jni, java_class, "install", "(Ljava/lang/Object;I)I");
    jclass overflow = (*jni)->FindClass(jni, "java/lang/StackOverflowError");
    header.overflow = overflow ? (*jni)->NewGlobalRef(jni, overflow) : NULL;
    header_is_used = header.java_class && header.find && header.install && header.overflow;
    return header_is_used;
}

/* Clears the pending exception and returns it, for `resume`; NULL: none is. */
static jthrowable suspend(JNIEnv *jni)
{
    if (!(*jni)->ExceptionCheck(jni))
        return NULL;
    jthrowable pending = (*jni)->ExceptionOccurred(jni);
    (*jni)->ExceptionClear(jni);
    return pending;
}

/* Makes `pending` the pending exception again, unless the program is to get what was thrown
 * since. Returns whether nothing was thrown. */
static bool resume(JNIEnv *jni, jthrowable pending)
{
    jthrowable thrown = suspend(jni);
    bool is_overflow = thrown && (*jni)->IsInstanceOf(jni, thrown, header.overflow);
    if (thrown && !is_overflow)
        (*jni)->Throw(jni, thrown);
    else if (pending)
        (*jni)->Throw(jni, pending);
    if (thrown)
        (*jni)->DeleteLocalRef(jni, thrown);
    if (pending)
        (*jni)->DeleteLocalRef(jni, pending);
    return !thrown;
}

bool header_find(JNIEnv *jni, jobject object, jint *found)
{
    jthrowable pending = suspend(jni);
    *found = (*jni)->CallStaticIntMethod(jni, header.java_class, header.find, object);
    return resume(jni, pending);
}

bool header_install(JNIEnv *jni, jobject object, uint64_t id, jint *found)
{
    jthrowable pending = suspend(jni);
    *found =
        (*jni)->CallStaticIntMethod(jni, header.java_class, header.install, object, (jint)id);
    return resume(jni, pending);
}
