/* SPDX-License-Identifier: MIT */
/* Stores whose instruction names neither a field nor an element. */
#ifndef ETTRACE_INDIRECT_H
#define ETTRACE_INDIRECT_H

#include "tracer.h"

/* Stores that pass an offset in place of a field: those of Unsafe, on which variable handles,
 * reflection and the collections of java.util.concurrent are built. */

/* Prepares to find fields and elements by their offsets. False: this virtual machine does
 * not give offsets. */
bool offsets_start(JNIEnv *jni);

/* Records the reference that is at the offset of the object or, for a static field, of the
 * class; nothing if that is no reference that holds. If several threads store there, each
 * records, one after the other, what is there at that time, so that the last record is of the
 * last store. */
void offsets_stored(struct thread *me, jobject object, jlong offset);

/* Native methods that store references, if they are called by reflection or a method handle:
 * the calling instruction does not name them. */

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
