/* SPDX-License-Identifier: MIT */
/* What the program shows of its progress on standard error. */
#ifndef ETMERLIN_CLI_PROGRESS_H
#define ETMERLIN_CLI_PROGRESS_H

#include "base/status.h"
#include "cli/options.h"

struct progress;
struct source;

enum phase {
    PHASE_READING,
    PHASE_PROPAGATION,
    PHASE_MENTIONS, /* these two of windows, which tell progress_step how far they are */
    PHASE_WINDOWS,
    PHASE_WRITING,
    PHASE_VERIFYING
};

/* Begins to show how far the reading of `source` is, with its name: on a terminal
 * in one line that stays, elsewhere, if the options want it, a line every 10
 * seconds; and a line whenever SIGUSR1 comes. Both must outlive *out. The caller owns
 * *out (progress_stop). */
enum status progress_start(struct progress **out, const struct options *options,
                           const struct source *source, struct failure *why) MUST_CHECK;

/* The next phase begins; it reads from `source`, or nothing (NULL). */
void progress_phase(struct progress *progress, enum phase phase, const struct source *source);

/* Adds `records` to those of the phase and sets the number of objects. */
void progress_count(struct progress *progress, uint64_t records, uint64_t objects);

/* In a phase without a source: so many records are done, `of` all. */
void progress_step(struct progress *progress, uint64_t records, uint64_t of);

/* Percent of the phase's input that has been read; -1: not known. */
int progress_percent(const struct progress *progress);

/* Takes the line off the terminal and releases *progress; NULL is allowed. Does not return if a
 * signal has asked for the end (cli/ending.h). */
void progress_stop(struct progress *progress);

#endif
