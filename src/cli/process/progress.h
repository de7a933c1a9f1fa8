/* SPDX-License-Identifier: MIT */
/* Shows progress on standard error. */
#ifndef ETMERLIN_CLI_PROCESS_PROGRESS_H
#define ETMERLIN_CLI_PROCESS_PROGRESS_H

#include "base/status.h"
#include "cli/options/options.h"

struct progress;
struct source;

enum phase {
    PHASE_READING,
    PHASE_PROPAGATION, /* this and the phases of windows and reports call progress_step */
    PHASE_MENTIONS,
    PHASE_WINDOWS,
    PHASE_COMPARING,
    PHASE_REPORTS,
    PHASE_WRITING,
    PHASE_CONVERTING,
    PHASE_VERIFYING,
    PHASES
};

/* How often each phase is still to come. */
struct phases_to_come {
    unsigned times[PHASES];
};

/* Begins to show how far `source` has been read, with its name: on a terminal in one line that
 * is updated; elsewhere, if the options ask for it, in a new line every 10 seconds; and in a
 * new line whenever SIGUSR1 comes. Both must outlive *out. The caller owns *out
 * (progress_stop). */
enum status progress_start(struct progress **out, const struct options *options,
                           const struct source *source, struct failure *why) MUST_CHECK;

/* Begins the next phase, which reads from `source` (NULL: it reads nothing). */
void progress_phase(struct progress *progress, enum phase phase, const struct source *source);

/* Sets the phases after the present one, whose times are part of the time left. Each is taken
 * out when it begins. */
void progress_expect(struct progress *progress, const struct phases_to_come *later);

/* Adds `records` to those of the phase, and sets the number of objects. */
void progress_count(struct progress *progress, uint64_t records, uint64_t objects);

/* In a phase without a source: `done` of `of` records, objects or lives are done. */
void progress_step(struct progress *progress, uint64_t done, uint64_t of);

/* To be called before anything is written to standard output: if that is a terminal, takes the
 * line off for good. */
void progress_make_way(struct progress *progress);

/* Takes the line off the terminal and releases *progress; NULL is allowed. Does not return if a
 * signal has asked for the end (cli/process/ending.h). */
void progress_stop(struct progress *progress);

/* How far a job had come when it ended. */
struct position {
    uint64_t memory; /* bytes in use; 0: not known */
    int percent;     /* of the input that was being read; -1: not known */
};

/* The present position; to be called before anything is released. Needs no memory. `progress`
 * may be NULL. */
struct position position_now(const struct progress *progress);

/* To be called when memory has been released: if `status` is STATUS_MEMORY, adds to *why how
 * far the job came, and with how much memory. Returns `status`. */
enum status explain_shortage(enum status status, const struct position *position,
                             const struct options *options, struct failure *why) MUST_CHECK;

#endif
