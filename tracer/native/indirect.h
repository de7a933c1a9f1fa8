/* SPDX-License-Identifier: MIT */
/* Native methods that store references, if they are called by reflection or a method handle:
 * the calling instruction does not name them. */
#ifndef ETTRACE_INDIRECT_H
#define ETTRACE_INDIRECT_H

#include "tracer.h"

/* Prepares to recognize them. False: this virtual machine has other methods. */
bool indirect_start(JNIEnv *jni);

/* Whether a member (java.lang.invoke.MemberName) that has the operands of System.arraycopy, or
 * of Array.set, is that method. */
bool indirect_is_copy(JNIEnv *jni, jobject member);
bool indirect_is_set(JNIEnv *jni, jobject member);

/* Whether the object is what stores by offsets. */
bool indirect_is_unsafe(JNIEnv *jni, jobject object);

/* Records what a call by reflection has stored, if it is of such a method: it was called on the
 * target with the arguments (an array, or null). */
void indirect_invoked(struct thread *me, jobject method, jobject target, jobject arguments);

#endif
