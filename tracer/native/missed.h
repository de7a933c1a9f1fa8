/* SPDX-License-Identifier: MIT */
/* Classes that are loaded because the agent needs them while it instruments another one: the
 * virtual machine does not offer them to the agent. They are instrumented a moment later. */
#ifndef ETTRACE_MISSED_H
#define ETTRACE_MISSED_H

#include "tracer.h"

/* Begins to look for them; false: this virtual machine does not report them. */
bool missed_start(jvmtiEnv *jvmti);

/* What JVMTI calls when a class is prepared. */
void JNICALL missed_prepared(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jclass java_class);

/* Lets the agent instrument them. The calling thread holds no lock and is no agent's. */
void missed_offer(JNIEnv *jni);

#endif
