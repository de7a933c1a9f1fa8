/* SPDX-License-Identifier: MIT */
/* Soft references. A collection clears them when memory is short, or when they have not been
 * used for long. In the trace, they hold their referents until then. */
#ifndef ETTRACE_SOFT_H
#define ETTRACE_SOFT_H

#include "tracer.h"

/* A soft reference with that id has got its referent, by a store into that field; NULL:
 * nothing is watched. */
void soft_stored(struct thread *me, jobject reference, uint64_t id, jobject referent,
                 uint32_t field);

/* Records which of them collections have cleared. Without `all`, does so only if so much has
 * been recorded since the last time that it costs little in comparison. */
void soft_record(struct thread *me, bool all);

#endif
