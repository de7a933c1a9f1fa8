/* SPDX-License-Identifier: MIT */
/* What "not enough memory" means to the user: of which limit, how much was in use, and how far
 * the job was. The figures are taken when memory runs out, the sentence is made later, when
 * something has been released: making it needs memory. */
#include "cli/shortage.h"

#include "cli/memory_limit.h"

#include <inttypes.h>

struct position position_now(const struct progress *progress)
{
    return (struct position){
        .memory = memory_in_use(),
        .percent = progress ? progress_percent(progress) : -1,
    };
}

enum status explain_shortage(enum status status, const struct position *position,
                             const struct options *options, struct failure *why)
{
    char limit[64] = "there is", share[40] = "";
    if (status != STATUS_MEMORY)
        return status;
    if (options->memory_limit)
        snprintf(limit, sizeof limit, "--memory-limit=%" PRIu64 "M allows",
                 (options->memory_limit + (1 << 20) - 1) >> 20);
    if (position->percent >= 0)
        snprintf(share, sizeof share, ", at %d%% of the input", position->percent);
    return fail_at(why, STATUS_MEMORY, options->trace, 0,
                   "More memory is needed than %s: %" PRIu64 " MiB were in use%s", limit,
                   position->memory >> 20, share);
}
