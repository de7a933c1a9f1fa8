/* SPDX-License-Identifier: MIT */
/* The objects that exist when tracing begins, and their references. */
#ifndef ETTRACE_SNAPSHOT_H
#define ETTRACE_SNAPSHOT_H

#include "tracer.h"

/* Sets tracer.is_active, gives an id to every object that can be reached, and records a P for
 * each of them and a U for each reference: of fields, elements, statics, and of what holds
 * objects inside the virtual machine. The agent's own objects are left out. Sets
 * tracer.first_object and tracer.first_new. False: no memory; records are missing. */
bool snapshot_take(struct thread *me);

#endif
