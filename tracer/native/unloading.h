/* SPDX-License-Identifier: MIT */
/* Classes that may be unloaded: those of the program's own class loaders, and hidden ones. What
 * such a class holds (static fields, constants), the trace has as held by its object of
 * java.lang.Class, and this as held by the virtual machine until a collection has unloaded it.
 */
#ifndef ETTRACE_UNLOADING_H
#define ETTRACE_UNLOADING_H

#include "tracer.h"

/* Makes ready to distinguish class loaders. False: this virtual machine has others. */
bool unloading_start(JNIEnv *jni);

/* Whether the class, or array, with that signature may be unloaded. */
bool unloading_is_possible(JNIEnv *jni, jclass java_class, const char *signature);

/* Records that the virtual machine holds the class, as the object with that id. */
void unloading_held(struct thread *me, jclass java_class, uint64_t id);

/* Records which classes are held no more. */
void unloading_record(struct thread *me);

#endif
