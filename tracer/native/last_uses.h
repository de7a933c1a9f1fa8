/* SPDX-License-Identifier: MIT */
/* What variables of open methods hold as the trace ends. */
#ifndef ETTRACE_LAST_USES_H
#define ETTRACE_LAST_USES_H

#include "tracer.h"

/* Records a use of each object that variables of open methods hold, of all threads. Not with
 * --truth, which records true deaths, nor at the level et3. */
void last_uses_record(struct thread *me);

#endif
