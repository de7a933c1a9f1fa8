/* SPDX-License-Identifier: MIT */
/* Shows progress on standard error, in a line that is fitted to a terminal. */
#ifndef ETMERLIN_CLI_PROCESS_PROGRESS_H
#define ETMERLIN_CLI_PROCESS_PROGRESS_H

#include "base/status.h"
#include "cli/options/options.h"

#include <stddef.h>
#include <stdint.h>

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
 * signal has asked for the end (process.h). */
void progress_stop(struct progress *progress);

/* The time in seconds, by a clock that never goes back. */
double progress_seconds(void);

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

/* Room for a line, its parts, and the terminator of each. */
enum { PROGRESS_LINE_SIZE = 512 };

/* Writes `NAME: STATE, DETAILS` to `out` (PROGRESS_LINE_SIZE bytes), in at most `width`
 * columns. `state`, the phase, the percentage and the time left, comes first: it is only cut if
 * it is too long alone. Then come the details that fit. Of the name, the end is kept, which
 * matters most; what is not to be shown in it (text_shown_length) is escaped. */
void progress_line_fit(char *out, const char *name, const char *state, const char *details,
                       size_t width);

/* The seconds that a job still takes. This phase goes on at its speed: after `elapsed` seconds,
 * `done` (not 0) of `of` are done. The phases after it take `percent` percent of `reading`
 * seconds, or, if that is 0, of the time of this phase, the first one. */
double progress_time_left(double elapsed, uint64_t done, uint64_t of, double reading,
                          unsigned percent);

#endif
