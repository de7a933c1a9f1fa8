/* SPDX-License-Identifier: MIT */
/* The native methods of tests/tracer/programs/Stores.java, and of a class of checks.long. */
#include <jni.h>

static jobject kept;

JNIEXPORT void JNICALL Java_Stores_setField(JNIEnv *jni, jclass of, jobject object,
                                            jobject value);
JNIEXPORT void JNICALL Java_Stores_setField(JNIEnv *jni, jclass of, jobject object,
                                            jobject value)
{
    jclass java_class = (*jni)->GetObjectClass(jni, object);
    (void)of;
    (*jni)->SetObjectField(
        jni, object, (*jni)->GetFieldID(jni, java_class, "next", "Ljava/lang/Object;"), value);
}

JNIEXPORT void JNICALL Java_Stores_setStatic(JNIEnv *jni, jclass of, jobject value);
JNIEXPORT void JNICALL Java_Stores_setStatic(JNIEnv *jni, jclass of, jobject value)
{
    (*jni)->SetStaticObjectField(
        jni, of, (*jni)->GetStaticFieldID(jni, of, "forNative", "Ljava/lang/Object;"), value);
}

JNIEXPORT void JNICALL Java_Stores_setElement(JNIEnv *jni, jclass of, jobjectArray array,
                                              jint index, jobject value);
JNIEXPORT void JNICALL Java_Stores_setElement(JNIEnv *jni, jclass of, jobjectArray array,
                                              jint index, jobject value)
{
    (void)of;
    (*jni)->SetObjectArrayElement(jni, array, index, value);
}

JNIEXPORT void JNICALL Java_Stores_keep(JNIEnv *jni, jclass of, jobject value);
JNIEXPORT void JNICALL Java_Stores_keep(JNIEnv *jni, jclass of, jobject value)
{
    (void)of;
    kept = (*jni)->NewGlobalRef(jni, value);
}

JNIEXPORT void JNICALL Java_Stores_drop(JNIEnv *jni, jclass of);
JNIEXPORT void JNICALL Java_Stores_drop(JNIEnv *jni, jclass of)
{
    (void)of;
    (*jni)->DeleteGlobalRef(jni, kept);
}

JNIEXPORT void JNICALL Java_Callers_call(JNIEnv *jni, jclass of, jint times, jobject one,
                                         jlong number, jobject other);
JNIEXPORT void JNICALL Java_Callers_call(JNIEnv *jni, jclass of, jint times, jobject one,
                                         jlong number, jobject other)
{
    jmethodID tick = (*jni)->GetStaticMethodID(jni, of, "tick", "()V");
    (void)one;
    (void)number;
    (void)other;
    for (jint i = 0; i < times; i++)
        (*jni)->CallStaticVoidMethod(jni, of, tick);
}

JNIEXPORT void JNICALL Java_Callers_callFrom(JNIEnv *jni, jobject caller, jint times);
JNIEXPORT void JNICALL Java_Callers_callFrom(JNIEnv *jni, jobject caller, jint times)
{
    Java_Callers_call(jni, (*jni)->GetObjectClass(jni, caller), times, NULL, 0, NULL);
}
