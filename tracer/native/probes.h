/* SPDX-License-Identifier: MIT */
/* The native methods of etmerlin.tracer.Probe. */
#ifndef ETTRACE_PROBES_H
#define ETTRACE_PROBES_H

#include "tracer.h"

/* Binds them to the class: the search that the virtual machine makes else is Java code, which
 * may itself have probes in it. */
bool probes_bind(JNIEnv *jni, jclass probe);

#endif
