/* SPDX-License-Identifier: MIT */
/* Classes that are loaded because the agent needs them while it instruments another class. The
 * virtual machine does not offer them to the agent, so they are instrumented a moment later. */
#ifndef ETTRACE_MISSED_H
#define ETTRACE_MISSED_H

#include "tracer.h"

/* Begins to look for them; false: this virtual machine does not report them. */
bool missed_start(jvmtiEnv *jvmti);

/* What JVMTI calls when a class is prepared. */
void JNICALL missed_prepared(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jclass java_class);

/* Has the agent instrument them. The calling thread must hold no lock, and must not belong to
 * the agent. */
void missed_offer(JNIEnv *jni);

#endif
