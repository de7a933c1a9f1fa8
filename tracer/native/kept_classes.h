/* SPDX-License-Identifier: MIT */
/* The native methods of etmerlin.tracer.Cache, which bring instrumented classes into the
 * virtual machine, and into the cache for later runs. */
#ifndef ETTRACE_KEPT_CLASSES_H
#define ETTRACE_KEPT_CLASSES_H

/* The virtual machine ends: saves what this run has instrumented. A failure only costs later
 * runs time, so it is reported only with -v. */
void kept_classes_end(void);

#endif
