/* SPDX-License-Identifier: MIT */
/* One place passes the options on, so that an option means the same for each command that
 * computes deaths. */
#include "cli/commands/engine_setup.h"

#include "cli/process/signals.h"

struct engine_options engine_setup(const struct options *options)
{
    return (struct engine_options){
        .choice = options->engine,
        .held_by = options->held_by,
        .unallocated = options->unallocated,
        .at_end = options->at_end,
        .context_depth = (unsigned)options->report.context_depth,
        .threads = options->threads,
        .memory_limit = options->memory_limit,
        .window = options->window,
        .temporary = options->source.temporary,
        .interrupt = signals_interrupt(),
    };
}

enum phase engine_phase_shown(enum engine_phase phase)
{
    static const enum phase shown[] = {
        [ENGINE_READING] = PHASE_READING,
        [ENGINE_PROPAGATION] = PHASE_PROPAGATION,
        [ENGINE_MENTIONS] = PHASE_MENTIONS,
        [ENGINE_WINDOWS_PASS] = PHASE_WINDOWS,
    };
    return shown[phase];
}
