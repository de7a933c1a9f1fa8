/* SPDX-License-Identifier: MIT */
/* What native code and the virtual machine allocate, store and hold, which no instruction
 * shows. */
#ifndef ETTRACE_NATIVE_CODE_H
#define ETTRACE_NATIVE_CODE_H

#include <jvmti.h>
#include <stdbool.h>

/* From now on the functions by which native code allocates, stores and holds objects record it.
 * Called once, when the virtual machine runs. False: they could not be replaced. */
bool native_code_watch(jvmtiEnv *jvmti);

/* Makes a global reference for the tracer itself: it is not recorded, so a probe may make one.
 * NULL: no memory. */
jobject native_code_keep(JNIEnv *jni, jobject object);

/* Deletes what native_code_keep has made; NULL is allowed. */
void native_code_drop(JNIEnv *jni, jobject reference);

#endif
