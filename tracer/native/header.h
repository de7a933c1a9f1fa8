/* SPDX-License-Identifier: MIT */
/* Ids in the headers of objects, which etmerlin.tracer.Header reads and installs: only Java
 * code can, while collections move objects. */
#ifndef ETTRACE_HEADER_H
#define ETTRACE_HEADER_H

#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

/* Ids from 2 to this fit into a header. */
enum { HEADER_MOST = (1 << 30) - 1 };

/* What a header holds, where it is no id: nothing yet, or never one. */
enum { HEADER_UNDECIDED = 0, HEADER_NONE = 1 };

/* Whether new objects get their ids in the header. Set before the first probe. */
extern bool header_is_used;

/* Begins to use headers, through that class; false: it lacks what is needed. */
bool header_start(JNIEnv *jni, jclass header);

/* Sets *found to what the header of the object holds: an id, HEADER_... Negative: an id, or
 * what the virtual machine has put there when it made its archive of classes. false: the thread
 * has no stack left to look; an exception that was pending still is. */
bool header_find(JNIEnv *jni, jobject object, jint *found);

/* The same, after it has put the id there unless something is decided. */
bool header_install(JNIEnv *jni, jobject object, uint64_t id, jint *found);

#endif
