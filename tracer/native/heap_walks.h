/* SPDX-License-Identifier: MIT */
/* The walks over the heap: when tracing begins, and as the trace ends. */
#ifndef ETTRACE_HEAP_WALKS_H
#define ETTRACE_HEAP_WALKS_H

#include "tracer.h"

/* The objects that exist when tracing begins, and their references. */

/* Sets tracer.is_active, gives an id to every object that can be reached, and records a P for
 * each of them and a U for each reference: of fields, elements, statics, and of what holds
 * objects inside the virtual machine. The agent's own objects are left out. Sets
 * tracer.first_object and tracer.first_new. False: no memory; records are missing. */
bool snapshot_take(struct thread *me);

/* What variables of open methods hold as the trace ends. */

/* Records a use of each object that variables of open methods hold, of all threads. Not with
 * --truth, which records true deaths, nor at the level et3. */
void last_uses_record(struct thread *me);

#endif
