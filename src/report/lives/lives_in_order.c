/* SPDX-License-Identifier: MIT */
/* Lives come in the order of deaths. What is needed of each is put where its allocation is,
 * since who compares deaths or checks an oracle walks along the allocations of a trace. */
#include "report/lives/lives_in_order.h"

#include "base/memory.h"

#include <stdlib.h>

static enum status place_life(void *context, const struct life_facts *life, struct failure *why)
{
    struct lives_in_order *lives = context;
    (void)why;
    lives->deaths[life->number] = life->survives ? NEVER : life->died.tick;
    lives->uses[life->number] = life->proof;
    return STATUS_OK;
}

enum status lives_in_order_read(struct lives_in_order *lives, const struct life_stream *stream,
                                size_t count, struct failure *why)
{
    lives->deaths = array_new(count, sizeof *lives->deaths);
    lives->uses = array_new(count, sizeof *lives->uses);
    return lives->deaths && lives->uses ? lives_visit(stream, place_life, lives, why)
                                        : fail_memory(why);
}

void lives_in_order_free(struct lives_in_order *lives)
{
    free(lives->deaths);
    free(lives->uses);
    *lives = (struct lives_in_order){.deaths = NULL};
}
