/* SPDX-License-Identifier: MIT */
/* The reports of a run: what they need of the two passes, and when each is written. For all
 * functions but the first two, `reports` may be NULL: there are no reports. */
#ifndef ETMERLIN_REPORT_REPORTS_H
#define ETMERLIN_REPORT_REPORTS_H

#include "report/report.h"

struct reports;

/* Makes an empty list of reports. What *material points to must outlive it; the members from
 * `begin` on are set by this module. The caller owns *out (reports_free). */
enum status reports_new(struct reports **out, const struct report_material *material,
                        struct failure *why) MUST_CHECK;

/* A report that is asked for: its kind, and where it goes. */
struct report_request {
    enum report_kind kind;
    size_t moment;      /* its number in the list of --at, if it describes one of these */
    struct sink *sink;  /* NULL: it goes to files of `folder`, for its class is_folder */
    const char *folder; /* NULL: it goes to `sink` */
    const char *path;   /* what was opened, as given */
};

/* Adds a report. What *request points to must outlive it. */
enum status reports_add(struct reports *reports, const struct report_request *request,
                        struct failure *why) MUST_CHECK;

/* Sets the reader of the trace, and the names (NULL: none). Unless names are wanted, reports
 * have none where the lists are empty. Both must outlive the reports. */
void reports_set_reader(struct reports *reports, struct reader *reader,
                        const struct names *names, bool names_wanted);

/* Before reports_finish: sets how the run compares with another one, and what the page shows of
 * it. Both must outlive the reports. */
void reports_set_match(struct reports *reports, const struct run_match *match,
                       const struct page_match *page);

/* Has `progress` called with `context` now and then, while lives are shown to the reports:
 * `done` of `of` lives. */
void reports_watch(struct reports *reports,
                   void (*progress)(void *context, uint64_t done, uint64_t of), void *context);

/* Before a first reading of the trace: forgets what an earlier one, which was given up, has
 * shown. */
void reports_restart(struct reports *reports);

/* For each batch of pass 1: notes what the reports need of it. */
enum status reports_read(struct reports *reports, const struct batch *batch,
                         struct failure *why) MUST_CHECK;

/* What the reports want of the engine (enum engine_want). */
unsigned reports_wants(const struct reports *reports);

/* After engine_run: begins the reports and shows them all lives. `engine` must stay until
 * reports_finish. STATUS_MEANING: a report would not distinguish objects. */
enum status reports_begin(struct reports *reports, struct engine *engine,
                          struct failure *why) MUST_CHECK;

/* Writes what is outstanding, and finishes the sinks. */
enum status reports_finish(struct reports *reports, struct failure *why) MUST_CHECK;

/* Whether lifetimes of the whole run are in a report that does not say itself that they are too
 * short. */
bool reports_show_lifetimes(const struct reports *reports);

/* After reports_finish: the next sentence that a report has for the user, without its full
 * stop; NULL: there are no more. Set *at to 0 before the first call. The caller owns the
 * sentence (free). */
char *reports_remark(const struct reports *reports, size_t *at);

void reports_free(struct reports *reports);

#endif
