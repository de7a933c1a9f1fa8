/* SPDX-License-Identifier: MIT */
/* What native code calls of the agent in Java. */
#ifndef ETTRACE_JAVA_CALLS_H
#define ETTRACE_JAVA_CALLS_H

#include "tracer.h"

/* Lets the boot loader find the agent's classes, whose archive is next to this library; called
 * as that is loaded. False: no memory, or the virtual machine refuses. */
bool java_calls_prepare(void);

/* The path of that archive. */
const char *java_calls_archive(void);

/* Starts the agent in Java; called when the virtual machine runs, before the program does. */
void java_calls_start(JNIEnv *jni);

/* Has the agent replace the files of classes from now on. */
bool java_calls_offer(void);

/* What JVMTI calls when a class is being defined or transformed. */
void JNICALL java_calls_offered(jvmtiEnv *jvmti, JNIEnv *jni, jclass transformed,
                                jobject loader, const char *name, jobject domain, jint length,
                                const unsigned char *file, jint *new_length,
                                unsigned char **new_file);

#endif
