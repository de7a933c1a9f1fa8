/* SPDX-License-Identifier: MIT */
/* What the tracer of a run left out, for reports that show it among other things: what --advise
 * says, found while the run is read. */
#ifndef ETMERLIN_REPORT_ADVISE_RUN_ADVICE_H
#define ETMERLIN_REPORT_ADVISE_RUN_ADVICE_H

#include "report/advise/advice_print.h"
#include "report/report.h"

/* Zero-initialize it; run_advice_free ends it. */
struct run_advice {
    struct advice *advice; /* NULL: it has not begun, or is finished */
    struct advice_counts counts;
    struct document_part list; /* from run_advice_finish on */
};

/* The next records of the trace, which must have records of more than lifetimes. */
enum status run_advice_read(struct run_advice *run, const struct report_material *material,
                            const struct batch *batch, struct failure *why) MUST_CHECK;

/* There are no more records: makes the list, unless there were none, and releases what it took.
 */
void run_advice_finish(struct run_advice *run);

/* Makes it zero again. */
void run_advice_free(struct run_advice *run);

#endif
