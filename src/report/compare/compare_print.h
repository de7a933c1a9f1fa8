/* SPDX-License-Identifier: MIT */
/* The report of a comparison, in three forms. Each prints into a sink and looks at nothing
 * else. */
#ifndef ETMERLIN_REPORT_COMPARE_COMPARE_PRINT_H
#define ETMERLIN_REPORT_COMPARE_COMPARE_PRINT_H

#include "report/assumptions.h"
#include "report/compare/compare.h"
#include "report/json.h"
#include "report/print.h"

/* Figures, then the first `show` differing allocations and the first `show` recorded deaths
 * that belong to none, in the order of their files. */
void compare_print_text(struct print *print, const struct comparison *comparison,
                        const struct assumptions *assumptions, uint64_t show);

/* The same as a JSON object; etmerlin(1), COMPARING, tells its keys. */
void compare_print_json(struct print *print, const struct comparison *comparison,
                        const struct assumptions *assumptions, uint64_t show);

/* A line of column names, then one line an allocation, fields separated by tabs. */
void compare_print_tsv(struct print *print, const struct comparison *comparison);

/* How the deaths were compared: "time" or "position"; and a sentence why. */
const char *compare_by_name(const struct alignment *alignment);
void compare_by_reason(const struct alignment *alignment, char *out, size_t size);

/* Puts what was compared with what, and how, into the root of a report. */
void compare_put_alignment(struct json_report *report, const struct alignment *alignment);

#endif
