/* SPDX-License-Identifier: MIT */
/* Prints a validation. */
#ifndef ETMERLIN_REPORT_VALIDATE_VALIDATE_PRINT_H
#define ETMERLIN_REPORT_VALIDATE_VALIDATE_PRINT_H

#include "report/form/document.h"
#include "report/validate/validate.h"

/* Prints violations, of which those in `ignored` are marked, then methods by thread, then
 * figures; etmerlin-reports(5) has the keys. */
void validate_print(struct print *print, enum report_format format,
                    const struct validation *validation, violation_set ignored);

/* The sections after the origin. */
extern const struct section validate_sections[];

#endif
