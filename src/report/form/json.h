/* SPDX-License-Identifier: MIT */
/* Strings of JSON. */
#ifndef ETMERLIN_REPORT_FORM_JSON_H
#define ETMERLIN_REPORT_FORM_JSON_H

#include "report/print.h"

/* Prints a string for programs: what they read is `text`, except that bytes which are not UTF-8
 * become \xHH. */
void json_print_exact(struct print *print, const char *text);

/* Prints a string for people. What is not to be shown (text_shown_length) becomes \xHH; <, >
 * and & are escaped as well, so that it can stand in a script within HTML. */
void json_print_string(struct print *print, const char *text);

/* As json_print_string, but prints at most `most` bytes between the quotes, and an ellipsis in
 * place of the rest. */
void json_print_cut_string(struct print *print, const char *text, size_t most);

#endif
