/* The table of --contexts. */
#ifndef ETMERLIN_REPORT_LIVES_CONTEXT_TABLE_H
#define ETMERLIN_REPORT_LIVES_CONTEXT_TABLE_H

#include "report/report.h"

/* See struct report_class. */
enum status contexts_begin(struct report *report, struct failure *why) MUST_CHECK;
enum status contexts_allocated(struct report *report, const struct record *record,
                               uint64_t line, uint64_t event, struct failure *why) MUST_CHECK;
enum status contexts_finish(struct report *report, struct failure *why) MUST_CHECK;
void contexts_release(struct report *report);

#endif
