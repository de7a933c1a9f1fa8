/* SPDX-License-Identifier: MIT */
/* The native methods of java.lang.EttraceProbe and EttraceHeaderProbe. */
#ifndef ETTRACE_PROBES_H
#define ETTRACE_PROBES_H

#include "tracer.h"

/* Binds them to the class, and those of EttraceHeaderProbe, if that is what is called (else
 * NULL): the search that the virtual machine makes else is Java code, which may itself have
 * probes in it. */
bool probes_bind(JNIEnv *jni, jclass probe, jclass header_probe);

/* Probes for what no instruction shows. */

/* An object (NULL: none) has arrived: if it has no id yet, records its N or A, and U of what is
 * in it. */
void probes_arrived(JNIEnv *jni, jobject object);

/* A field of the object, or of the class `of`, was stored. */
void probes_put(JNIEnv *jni, jobject object, jobject value, jfieldID field);
void probes_put_static(JNIEnv *jni, jclass of, jobject value, jfieldID field);

/* Records what the static fields of the class itself hold, which was stored where no probe saw
 * it. */
void probes_statics(JNIEnv *jni, jclass of);

/* An element of an array of references was stored. */
void probes_store_element(JNIEnv *jni, jobjectArray array, jint index, jobject value);

/* Native code keeps the object at the place with this number; NULL: no longer anything. */
void probes_keep(JNIEnv *jni, jobject object, uint64_t place);

#endif
