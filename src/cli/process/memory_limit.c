/* SPDX-License-Identifier: MIT */
/* The system does the accounting, of all memory that the process could write to
 * and that is its own: arrays, Judy's nodes, decoders' windows, stacks. A request
 * beyond the limit then fails like one on a machine without more memory. */
#include "cli/process/memory_limit.h"

#include "base/memory.h"

#include <errno.h>
#include <inttypes.h>
#include <sys/resource.h>

enum status memory_limit_set(uint64_t bytes, struct failure *why)
{
    uint64_t used = memory_in_use();
    struct rlimit limit;
    if (used >= bytes)
        return fail(why, STATUS_MEANING,
                    "The memory limit of %llu bytes is too low: the program alone has %llu",
                    (unsigned long long)bytes, (unsigned long long)used);
    if (getrlimit(RLIMIT_DATA, &limit) != 0)
        return fail_errno(why, NULL, "limit the memory", errno);
    if (bytes < limit.rlim_cur)
        limit.rlim_cur = bytes;
    if (setrlimit(RLIMIT_DATA, &limit) != 0)
        return fail_errno(why, NULL, "limit the memory", errno);
    return STATUS_OK;
}

/* What "not enough memory" means to the user: of which limit, how much was in use, and how far
 * the job was. The figures are taken when memory runs out, the sentence is made later, when
 * something has been released: making it needs memory. */

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
