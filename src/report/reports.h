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

/* Adds a report of `kind`, which it has not yet. `sink`, opened as `path`, and `path` must
 * outlive it. */
void reports_add(struct reports *reports, enum report_kind kind, struct sink *sink,
                 const char *path);

/* The same of a report whose class is_folder: its files go to `folder`, which gets the name
 * `shown`. Both must outlive it. */
void reports_add_folder(struct reports *reports, enum report_kind kind, const char *folder,
                        const char *shown);

/* The trace is read from `reader`, which must outlive the reports. */
void reports_set_reader(struct reports *reports, struct reader *reader);

/* Names are taken from `names` (NULL: there are none), which must outlive it; unless they are
 * `wanted`, only if there are some. */
void reports_set_names(struct reports *reports, const struct names *names, bool wanted);

/* From now on, before reports_prepare, the reports are made of stored lives, which each of them
 * can be (report_class_stored). What has been read so far is forgotten. */
void reports_use_stored(struct reports *reports);

/* Before pass 1: tells `history` what the reports need of it; temporary files are made in
 * `place` (NULL: where it is usual). With `is_recorded` no deaths will be computed. */
enum status reports_prepare(struct reports *reports, struct history *history, bool is_recorded,
                            const struct spool_place *place, struct failure *why) MUST_CHECK;

/* In pass 1, after each batch: notes what the reports need of it. */
enum status reports_read(struct reports *reports, const struct batch *batch,
                         struct failure *why) MUST_CHECK;

/* What the reports need of the passes (report.h). */
unsigned reports_needs(const struct reports *reports);

/* After the propagation (`deaths`) or, of recorded deaths, after the first reading (NULL): gets
 * ready for the second reading. Reports name objects as ids[node] or, if `ids` is NULL, as the
 * trace does. All must stay until reports_finish. STATUS_MEANING: a report would not tell
 * objects apart. */
enum status reports_begin(struct reports *reports, struct history *history,
                          const struct deaths *deaths, const node_t *ids,
                          struct failure *why) MUST_CHECK;

/* Who wants to see the second reading; NULL: no report needs it. */
const struct merge_observer *reports_observer(const struct reports *reports);

/* After the second reading, if there was one: writes all that is outstanding and finishes the
 * sinks. */
enum status reports_finish(struct reports *reports, struct failure *why) MUST_CHECK;

void reports_free(struct reports *reports);

#endif
