/* SPDX-License-Identifier: MIT */
/* Printing of reports into a sink. */
#ifndef ETMERLIN_REPORT_PRINT_H
#define ETMERLIN_REPORT_PRINT_H

#include "io/sink.h"

#include <stdbool.h>
#include <stdint.h>

/* After a failure nothing more is written, and the status stays, so it is enough to check it at
 * the end of a report. */
struct print {
    struct sink *sink;
    struct failure *why;
    enum status status;
};

/* Prints as printf does, but escapes what is not to be shown (text_shown_length), except line
 * ends and tabs. */
void print_text(struct print *print, const char *format, ...) PRINTF_LIKE(2, 3);

/* Prints a name, with all that is not to be shown escaped. */
void print_shown(struct print *print, const char *text);

/* Prints `length` bytes as they are. */
void print_bytes(struct print *print, const char *bytes, size_t length);

#endif
