/* SPDX-License-Identifier: MIT */
/* What the program shows of its progress on standard error. */
#ifndef ETMERLIN_CLI_PROCESS_PROGRESS_H
#define ETMERLIN_CLI_PROCESS_PROGRESS_H

#include "base/status.h"
#include "cli/options/options.h"

struct progress;
struct source;

enum phase {
    PHASE_READING,
    PHASE_PROPAGATION, /* like phases of windows and of reports, it calls progress_step */
    PHASE_MENTIONS,
    PHASE_WINDOWS,
    PHASE_COMPARING,
    PHASE_REPORTS,
    PHASE_WRITING,
    PHASE_CONVERTING,
    PHASE_VERIFYING,
    PHASES
};

/* How often each phase is to come. */
struct phases_to_come {
    unsigned times[PHASES];
};

/* Begins to show how far the reading of `source` is, with its name: on a terminal
 * in one line that stays, elsewhere, if the options want it, a line every 10
 * seconds; and a line whenever SIGUSR1 comes. Both must outlive *out. The caller owns
 * *out (progress_stop). */
enum status progress_start(struct progress **out, const struct options *options,
                           const struct source *source, struct failure *why) MUST_CHECK;

/* The next phase begins; it reads from `source`, or nothing (NULL). */
void progress_phase(struct progress *progress, enum phase phase, const struct source *source);

/* These phases come after the present one: the time left is that of them all. Each that begins
 * is taken out. */
void progress_expect(struct progress *progress, const struct phases_to_come *later);

/* Adds `records` to those of the phase and sets the number of objects. */
void progress_count(struct progress *progress, uint64_t records, uint64_t objects);

/* In a phase without a source: so many records, objects or lives are done, `of` all. */
void progress_step(struct progress *progress, uint64_t done, uint64_t of);

/* To be called before anything is written to standard output: if that is the terminal, the line
 * is taken off for good. */
void progress_make_way(struct progress *progress);

/* Takes the line off the terminal and releases *progress; NULL is allowed. Does not return if a
 * signal has asked for the end (cli/process/ending.h). */
void progress_stop(struct progress *progress);

/* How far a job had come when it ended. */
struct position {
    uint64_t memory; /* bytes in use; 0: not known */
    int percent;     /* of the input that was being read; -1: not known */
};

/* To be called before anything is released. `progress` may be NULL. Needs no memory. */
struct position position_now(const struct progress *progress);

/* To be called when there is memory again: makes *why, if `status` is STATUS_MEMORY, say
 * how far the job came with how much memory. Returns `status`. */
enum status explain_shortage(enum status status, const struct position *position,
                             const struct options *options, struct failure *why) MUST_CHECK;

#endif
