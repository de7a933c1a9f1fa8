/* SPDX-License-Identifier: MIT */
/* What is there when tracing begins. */
#ifndef ETTRACE_SNAPSHOT_H
#define ETTRACE_SNAPSHOT_H

#include "tracer.h"

/* Gives an id to every object that can be reached, sets tracer.is_active, and records a P for
 * each of them and a U for each reference: of fields, elements, statics, and of what holds
 * objects inside the virtual machine. The agent's own objects are left out. False: no memory.
 */
bool snapshot_take(struct thread *me);

#endif
