/* SPDX-License-Identifier: MIT */
/* The report of a validation, in two forms. */
#ifndef ETMERLIN_REPORT_VALIDATE_VALIDATE_PRINT_H
#define ETMERLIN_REPORT_VALIDATE_VALIDATE_PRINT_H

#include "report/print.h"
#include "report/validate/validate.h"

/* Violations, of which those in `ignored` are marked, then methods by thread, then figures. */
void validate_print_text(struct print *print, const struct validation *validation,
                         violation_set ignored);

/* The same as a JSON object; etmerlin(1), VALIDATING, tells its keys. */
void validate_print_json(struct print *print, const struct validation *validation,
                         violation_set ignored);

#endif
