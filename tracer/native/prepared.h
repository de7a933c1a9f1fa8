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

/* As prepared_record. Also records what the static fields of classes without probes hold whose
 * initializers have run since the thread has prepared them. */
void prepared_record_all(struct thread *me);

/* Records the objects of the classes that the thread has prepared, and the constants of their
 * static fields; no initializer has run. Each probe that names objects calls it before it
 * records its own. */
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
