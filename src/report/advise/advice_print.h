/* SPDX-License-Identifier: MIT */
/* The advice as a document. */
#ifndef ETMERLIN_REPORT_ADVISE_ADVICE_PRINT_H
#define ETMERLIN_REPORT_ADVISE_ADVICE_PRINT_H

#include "report/advise/advice.h"
#include "report/form/common.h"

/* etmerlin-reports(5) has the keys. */
void advice_print(struct print *print, enum report_format format,
                  const struct trace_origin *origin, const struct advice_counts *counts);

/* The sections after the origin. */
extern const struct section advice_sections[];

/* The verdicts as a list about a struct advice_counts, for the data of the page: the key of
 * each kind of records, what they are, the verdict on them, and what their absence does. */
extern const struct section advice_list[];

#endif
