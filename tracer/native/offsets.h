/* SPDX-License-Identifier: MIT */
/* Stores that pass an offset in place of a field: those of Unsafe, on which variable handles,
 * reflection and the collections of java.util.concurrent are built. */
#ifndef ETTRACE_OFFSETS_H
#define ETTRACE_OFFSETS_H

#include "tracer.h"

/* Prepares to find fields and elements by their offsets. False: this virtual machine does
 * not give offsets. */
bool offsets_start(JNIEnv *jni);

/* Records the reference that is at the offset of the object or, for a static field, of the
 * class; nothing if that is no reference that holds. If several threads store there, each
 * records, one after the other, what is there at that time, so that the last record is of the
 * last store. */
void offsets_stored(struct thread *me, jobject object, jlong offset);

#endif
