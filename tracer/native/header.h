/* SPDX-License-Identifier: MIT */
/* Ids in the headers of objects. java.lang.EttraceHeader reads and installs them, since only
 * Java code can while collections move objects. */
#ifndef ETTRACE_HEADER_H
#define ETTRACE_HEADER_H

#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

/* Ids from 2 to this number fit into a header. */
enum { HEADER_MOST = (1 << 30) - 1 };

/* Contents of a header that are no id: none yet, or never one. */
enum { HEADER_UNDECIDED = 0, HEADER_NONE = 1 };

/* Whether new objects get their ids in the header. Set before the first probe. */
extern bool header_is_used;

/* Begins to use headers, through that class; false: it lacks what is needed. */
bool header_start(JNIEnv *jni, jclass header);

/* Sets *found to what the header of the object holds: an id, HEADER_... Negative: an id, or
 * what the virtual machine has put there when it made its archive of classes. false: the thread
 * has no stack left to look; an exception that was pending still is. */
bool header_find(JNIEnv *jni, jobject object, jint *found);

/* Puts the id into the header, unless it has one or can never have one; then as header_find. */
bool header_install(JNIEnv *jni, jobject object, uint64_t id, jint *found);

#endif
