/* SPDX-License-Identifier: MIT */
/* What collections clear: classes that are unloaded, and references. */
#ifndef ETTRACE_CLEARED_H
#define ETTRACE_CLEARED_H

#include "tracer.h"

/* Classes that may be unloaded: those of the program's own class loaders, and hidden ones. In
 * the trace, what such a class holds (static fields, constants) is held by its object of
 * java.lang.Class, which the virtual machine holds until a collection has unloaded the class.
 */

/* Finds the class loaders whose classes are never unloaded. False: this virtual machine does
 * not have them. */
bool unloading_start(JNIEnv *jni);

/* Whether the class, or array, with that signature may be unloaded. */
bool unloading_is_possible(JNIEnv *jni, jclass java_class, const char *signature);

/* Records that the virtual machine holds the class, as the object with that id. */
void unloading_held(struct thread *me, jclass java_class, uint64_t id);

/* Records which classes have been unloaded since the last call. */
void unloading_record(struct thread *me);

/* Soft references. A collection clears them when memory is short, or when they have not been
 * used for long. In the trace, they hold their referents until then. */

/* A soft reference with that id has got its referent, by a store into that field; NULL:
 * nothing is watched. */
void soft_stored(struct thread *me, jobject reference, uint64_t id, jobject referent,
                 uint32_t field);

/* Records which of them collections have cleared. Without `all`, does so only if so much has
 * been recorded since the last time that it costs little in comparison. */
void soft_record(struct thread *me, bool all);

/* A thread of the virtual machine passes each reference on that a collection has cleared, to
 * the queue of that reference if it has one. */

/* Finds what the others need. Without it, nothing is found to be so. */
void passing_start(JNIEnv *jni);

/* Whether it is that thread. */
bool passing_is_done_by(JNIEnv *jni, jthread thread);

/* Whether the reference is passed on to nobody: it has no queue. */
bool passing_has_end(JNIEnv *jni, jobject reference);

#endif
