/* SPDX-License-Identifier: MIT */
/* What threads of the JDK do after a collection: they take references to what is dead out of
 * queues, and then release what stood for it. */
#ifndef ETTRACE_SETTLE_H
#define ETTRACE_SETTLE_H

#include "tracer.h"

/* Waits until these threads have nothing to do, a tenth of a second at most: what they run may
 * be the program's, and last. */
void settle_references(JNIEnv *jni);

#endif
