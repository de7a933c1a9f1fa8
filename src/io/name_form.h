/* SPDX-License-Identifier: MIT */
/* What the suffix of a name promises of an output: whoever opens the file later sees only its
 * name. */
#ifndef ETMERLIN_IO_NAME_FORM_H
#define ETMERLIN_IO_NAME_FORM_H

#include <stdbool.h>

/* The form that the name of an output promises, such as "json" of a.json and of a.json.gz.
 * NULL: it promises none. What is never written, such as a picture or a spreadsheet, has forms,
 * too. */
const char *form_of_name(const char *path);

/* Sets *index to that of a form among the words "a|b"; false: it is not there. */
bool form_find(const char *forms, const char *form, unsigned *index);

/* The end of a message that a form is not written, with a semicolon before it: where pictures
 * or tables come from instead. "": there is nothing to say. */
const char *form_advice(const char *form);

#endif
