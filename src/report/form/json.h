/* SPDX-License-Identifier: MIT */
/* Strings of JSON. */
#ifndef ETMERLIN_REPORT_FORM_JSON_H
#define ETMERLIN_REPORT_FORM_JSON_H

#include "report/print.h"

/* Prints a string for programs, which read again what it was; but bytes that are not UTF-8
 * become \xHH. */
void json_print_exact(struct print *print, const char *text);

/* Prints a string for people. What is not to be shown (text_shown_length) becomes \xHH; <, >
 * and & are escaped as well, so that it can stand in a script within HTML. */
void json_print_string(struct print *print, const char *text);

/* Does json_print_string with a string of which at most `most` bytes are printed between its
 * quotes; of what is cut off, three dots are left. */
void json_print_cut_string(struct print *print, const char *text, size_t most);

#endif
