/* SPDX-License-Identifier: MIT */
/* Calls of Java code from probes. They fail where a stack overflow comes, or what one thread
 * can throw in another, which the program gets. What the program's native code has pending
 * meanwhile is kept. */
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

/* The exception that is pending, until `resume`. */
static jthrowable suspend(JNIEnv *jni)
{
    if (!(*jni)->ExceptionCheck(jni))
        return NULL;
    jthrowable pending = (*jni)->ExceptionOccurred(jni);
    (*jni)->ExceptionClear(jni);
    return pending;
}

/* Whether nothing was thrown since. */
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
