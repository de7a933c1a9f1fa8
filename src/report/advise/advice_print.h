/* SPDX-License-Identifier: MIT */
/* The advice as text and as JSON. */
#ifndef ETMERLIN_REPORT_ADVISE_ADVICE_PRINT_H
#define ETMERLIN_REPORT_ADVISE_ADVICE_PRINT_H

#include "report/advise/advice.h"
#include "report/print.h"

/* `name` is that of the trace. etmerlin(1), ADVICE, tells the keys of the JSON object. */
void advice_print_text(struct print *print, const char *name,
                       const struct advice_counts *counts);
void advice_print_json(struct print *print, const char *name,
                       const struct advice_counts *counts);

#endif
