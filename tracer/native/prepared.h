/* SPDX-License-Identifier: MIT */
/* Classes that are prepared while the program runs. The virtual machine makes an object of
 * java.lang.Class for each, which code need never meet; and it does not offer those to the
 * agent that are loaded because the agent needs them while it instruments another one. */
#ifndef ETTRACE_PREPARED_H
#define ETTRACE_PREPARED_H

#include "tracer.h"

/* Begins to look for them; false: this virtual machine does not report them. */
bool prepared_start(jvmtiEnv *jvmti);

/* What JVMTI calls when a class is prepared. */
void JNICALL prepared_class(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jclass java_class);

/* Records the objects of the classes that the thread has prepared, and the strings in their
 * static fields, which are constants; and what the static fields of classes without probes
 * hold, prepared by any thread, whose initializers have run meanwhile. If the thread has no
 * stack left for that, it is put off. */
void prepared_record_all(struct thread *me);

/* The same, if the thread has prepared a class since its last probe. Each probe that names
 * objects calls it before it records its own, so an initializer with probes stores later. */
static inline void prepared_record(struct thread *me)
{
    if (me->prepared.count)
        prepared_record_all(me);
}

/* Releases what the thread still has of them. */
void prepared_release(struct thread *me);

/* Has the agent instrument those that it was not offered. The calling thread must hold no lock,
 * and must not belong to the agent. */
void prepared_offer_missed(JNIEnv *jni);

#endif
