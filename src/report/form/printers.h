/* SPDX-License-Identifier: MIT */
/* What the printers of forms share. Each prints a row when it is complete, and what is left
 * when its section ends. */
#ifndef ETMERLIN_REPORT_FORM_PRINTERS_H
#define ETMERLIN_REPORT_FORM_PRINTERS_H

#include "report/form/form.h"

/* A text that is kept in the form, which `text` is the place of. */
const char *form_text_at(const struct form *form, size_t text);

/* The value of a cell; nothing if the row or its section is missing. */
struct value form_cell_value(const struct form *form, const struct form_row *row,
                             const struct form_cell *cell);

/* Prints the row form->row, or the rest of the section. */
void form_print_text_row(struct form *form);
void form_end_text(struct form *form);
void form_print_json_row(struct form *form);
void form_end_json(struct form *form);

/* JSON begins and ends. `schema` NULL: it has neither a schema nor the version. */
void form_begin_json(struct form *form, const char *schema);
void form_finish_json(struct form *form);

#endif
