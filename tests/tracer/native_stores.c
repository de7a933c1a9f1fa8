/* SPDX-License-Identifier: MIT */
/* The native methods of tests/tracer/programs/Stores.java. */
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
