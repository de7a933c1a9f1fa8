/* SPDX-License-Identifier: MIT */
/* Soft references: a collection clears them when memory is short, or when they were not used
 * for long. The trace has them as holding their referents until then. */
#ifndef ETTRACE_SOFT_H
#define ETTRACE_SOFT_H

#include "tracer.h"

/* A soft reference with that id has got its referent. */
void soft_stored(struct thread *me, jobject reference, uint64_t id, jobject referent,
                 uint32_t field);

/* Records which of them collections have cleared. Without `all`, only when enough has been
 * recorded since the last time that looking at each of them does not count. */
void soft_record(struct thread *me, bool all);

#endif
