/* SPDX-License-Identifier: MIT */
/* What the commands share that run an engine (merlin/engine.h). */
#ifndef ETMERLIN_CLI_COMMANDS_ENGINE_SETUP_H
#define ETMERLIN_CLI_COMMANDS_ENGINE_SETUP_H

#include "cli/options/options.h"
#include "cli/process/progress.h"
#include "merlin/engine.h"

/* How `options` have the engine run; the caller sets what its reports want, whose deaths are
 * taken, and the watch. */
struct engine_options engine_setup(const struct options *options);

/* What progress calls a phase of the engine. */
enum phase engine_phase_shown(enum engine_phase phase);

#endif
