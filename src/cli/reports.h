/* The reports that are written beside a trace or instead of it: where they go, what they need
 * of the passes, and when each is written. */
#ifndef ETMERLIN_CLI_REPORTS_H
#define ETMERLIN_CLI_REPORTS_H

#include "cli/options.h"
#include "io/source.h"
#include "merlin/deaths.h"
#include "merlin/merge.h"

struct reports;

/* Opens the output of each report that the options ask for; *out is NULL if they ask for none.
 * Each function here may be called with NULL. The caller owns *out (reports_close).
 * STATUS_MEANING: two outputs, or an output and the trace, would be one. */
enum status reports_open(struct reports **out, const struct options *options,
                         struct source *trace, struct failure *why) MUST_CHECK;

/* Gives the names that the trace itself has for its ids (NULL: it has none). They must stay. */
void reports_take_names(struct reports *reports, const struct names *names);

/* Before pass 1: tells `history` what the reports need of it. */
enum status reports_prepare(struct reports *reports, struct history *history,
                            struct failure *why) MUST_CHECK;

/* In pass 1, after each batch: notes what the reports need of it. */
enum status reports_read(struct reports *reports, const struct batch *batch,
                         struct failure *why) MUST_CHECK;

/* After the propagation (`deaths`) or, with options->no_deaths, after the first reading (NULL):
 * gets ready for the second reading. Reports name objects as ids[node] or, if `ids` is NULL, as
 * the trace does. All must stay until reports_finish. STATUS_MEANING: a report would not tell
 * objects apart. */
enum status reports_begin(struct reports *reports, struct history *history,
                          const struct deaths *deaths, const node_t *ids,
                          struct failure *why) MUST_CHECK;

/* Who wants to see the second reading; NULL: no report needs it. */
const struct merge_observer *reports_observer(const struct reports *reports);

/* After the second reading, if there was one: writes the rest, all that is outstanding. */
enum status reports_finish(struct reports *reports, struct failure *why) MUST_CHECK;

/* Gives the files their names. */
enum status reports_commit(struct reports *reports, struct failure *why) MUST_CHECK;

/* Drops what has not been committed. */
void reports_close(struct reports *reports);

#endif
