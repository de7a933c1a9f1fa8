/* SPDX-License-Identifier: MIT */
/* The native methods of etmerlin.tracer.Cache: the way of instrumented classes into the virtual
 * machine, and into the cache of later runs. */
#ifndef ETTRACE_KEPT_CLASSES_H
#define ETTRACE_KEPT_CLASSES_H

/* The virtual machine ends: what this run has instrumented is kept. A failure only costs later
 * runs time, so it is reported with -v alone. */
void kept_classes_end(void);

#endif
