/* SPDX-License-Identifier: MIT */
/* The longest tick of a trace. Births come in the order of their ticks, so that the sum of one
 * tick is all that must be known. */
#include "report/lives/longest_tick.h"

static enum status add_birth(void *longest, const struct birth_facts *birth,
                             struct failure *why)
{
    (void)why;
    longest_tick_add(longest, birth->tick, birth->size);
    return STATUS_OK;
}

enum status longest_tick_find(uint64_t *bytes, const struct life_stream *stream,
                              struct failure *why)
{
    struct longest_tick longest = {.most = 0};
    TRY(births_visit(stream, add_birth, &longest, why));
    *bytes = longest.most;
    return STATUS_OK;
}
