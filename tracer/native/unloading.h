/* SPDX-License-Identifier: MIT */
/* Classes that may be unloaded: those of the program's own class loaders, and hidden ones. In
 * the trace, what such a class holds (static fields, constants) is held by its object of
 * java.lang.Class, which the virtual machine holds until a collection has unloaded the class.
 */
#ifndef ETTRACE_UNLOADING_H
#define ETTRACE_UNLOADING_H

#include "tracer.h"

/* Finds the class loaders whose classes are never unloaded. False: this virtual machine does
 * not have them. */
bool unloading_start(JNIEnv *jni);

/* Whether the class, or array, with that signature may be unloaded. */
bool unloading_is_possible(JNIEnv *jni, jclass java_class, const char *signature);

/* Records that the virtual machine holds the class, as the object with that id. */
void unloading_held(struct thread *me, jclass java_class, uint64_t id);

/* Records which classes have been unloaded since the last call. */
void unloading_record(struct thread *me);

#endif
