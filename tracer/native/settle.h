/* SPDX-License-Identifier: MIT */
/* After a collection, threads of the JDK take references to dead objects out of queues, and
 * then release what belonged to these objects. */
#ifndef ETTRACE_SETTLE_H
#define ETTRACE_SETTLE_H

#include "tracer.h"

/* Waits until these threads have nothing to do, but about a tenth of a second at most: they
 * may run code of the program that takes long. */
void settle_references(JNIEnv *jni);

#endif
