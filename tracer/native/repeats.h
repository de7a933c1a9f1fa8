/* SPDX-License-Identifier: MIT */
/* Uses that say nothing new. A W is left out if the trace without it has the same uses of the
 * object at the same tick and allocation, by the same thread, of the same kind: if the latest
 * record that uses the object names it, and is of the same thread, with no boundary, no
 * allocation and no record of another thread since. Stores that may have overwritten a
 * reference to the object use it, too. An allocation is no such record, since reports count
 * the objects that nothing uses after it. */
#ifndef ETTRACE_REPEATS_H
#define ETTRACE_REPEATS_H

#include <stdbool.h>
#include <stdint.h>

struct repeats;

/* NULL: no memory. */
struct repeats *repeats_new(void);

/* To be called with each record of the trace, in order (its words in the ring), and its thread:
 * whether it is a W to be left out. */
bool repeats_find(struct repeats *repeats, uint64_t thread, const uint64_t *words);

/* NULL is allowed. */
void repeats_free(struct repeats *repeats);

#endif
