#include "cli/shortage.h"

#include "cli/memory_limit.h"

#include <inttypes.h>

struct standing standing_now(const struct progress *progress)
{
    return (struct standing){
        .memory = memory_in_use(),
        .percent = progress ? progress_percent(progress) : -1,
    };
}

enum status explain_shortage(enum status status, const struct standing *standing,
                             const struct options *options, struct failure *why)
{
    char limit[64] = "there is", share[40] = "";
    if (status != STATUS_MEMORY)
        return status;
    if (options->memory_limit)
        snprintf(limit, sizeof limit, "--memory-limit=%" PRIu64 "M allows",
                 (options->memory_limit + (1 << 20) - 1) >> 20);
    if (standing->percent >= 0)
        snprintf(share, sizeof share, ", at %d%% of the input", standing->percent);
    return fail_at(why, STATUS_MEMORY, options->trace, 0,
                   "More memory is needed than %s: %" PRIu64 " MiB were in use%s", limit,
                   standing->memory >> 20, share);
}
