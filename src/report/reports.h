/* SPDX-License-Identifier: MIT */
/* The reports of a run: what they need of the passes, and when each is written. The functions
 * from reports_set_reader on may be called with NULL, for no reports. */
#ifndef ETMERLIN_REPORT_REPORTS_H
#define ETMERLIN_REPORT_REPORTS_H

#include "report/report_table.h"

struct reports;

/* Makes a run without reports. What *material points to must outlive it; what it has from
 * `begin` on is set here. The caller owns *out (reports_free). */
enum status reports_new(struct reports **out, const struct report_material *material,
                        struct failure *why) MUST_CHECK;

/* A report that is asked for: its kind, and where it goes. */
struct report_request {
    enum report_kind kind;
    size_t moment;      /* number in the list of --at, if it is of one of these */
    struct sink *sink;  /* NULL: it goes to files of `folder`, for its class is_folder */
    const char *folder; /* NULL: it goes to `sink` */
    const char *path;   /* what was opened, as given */
};

/* Adds a report, which it has not yet. What *request points to must outlive it. */
enum status reports_add(struct reports *reports, const struct report_request *request,
                        struct failure *why) MUST_CHECK;

/* The trace is read from `reader`. Names are taken from `names` (NULL: there are none); unless
 * they are wanted, only if there are some. Both must outlive the reports. */
void reports_set_reader(struct reports *reports, struct reader *reader,
                        const struct names *names, bool names_wanted);

/* Before reports_finish: the run was compared with another one, as `match` has it, and `page`
 * for the page. Both must outlive the reports. */
void reports_set_match(struct reports *reports, const struct run_match *match,
                       const struct page_match *page);

/* Has `progress` called with `context` now and then while lives are gone through: so many of so
 * many. */
void reports_watch(struct reports *reports,
                   void (*progress)(void *context, uint64_t done, uint64_t of), void *context);

/* Before a reading of the trace begins: forgets what another one has shown. */
void reports_restart(struct reports *reports);

/* In pass 1, after each batch: notes what the reports need of it. */
enum status reports_read(struct reports *reports, const struct batch *batch,
                         struct failure *why) MUST_CHECK;

/* What the reports want of the engine: of enum engine_want. */
unsigned reports_wants(const struct reports *reports);

/* After engine_run: begins the reports and shows them all lives. `engine` must stay until
 * reports_finish. STATUS_MEANING: a report would not distinguish objects. */
enum status reports_begin(struct reports *reports, struct engine *engine,
                          struct failure *why) MUST_CHECK;

/* Writes all that is outstanding and finishes the sinks. */
enum status reports_finish(struct reports *reports, struct failure *why) MUST_CHECK;

/* After reports_finish: the next sentence, without its full stop, that a report has for the
 * user, from report *at on, which is 0 at first and moved past the one that has it. NULL:
 * there is none. The caller owns it (free). `reports` may be NULL. */
char *reports_remark(const struct reports *reports, size_t *at);

void reports_free(struct reports *reports);

#endif
