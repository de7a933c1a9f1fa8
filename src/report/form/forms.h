/* SPDX-License-Identifier: MIT */
/* What the printers of documents share. */
#ifndef ETMERLIN_REPORT_FORM_FORMS_H
#define ETMERLIN_REPORT_FORM_FORMS_H

#include "report/form/document.h"

/* Goes to the next row of the section; false: there are no more. Before the first call, set
 * row->document and zero the rest. */
bool row_next(const struct section *section, struct row *row);

/* A member of a document as a number: a flag is 0 or 1, a pointer not 0 unless it is NULL. */
uint64_t document_number(const struct member *member, const void *document);

/* The value of a figure in a row; it may point into row->scratch. */
struct value figure_value(const struct figure *figure, struct row *row);

/* Whether `figure` ends its list. */
bool figures_end(const struct figure *figure);

bool section_exists(const struct section *section, const void *subject);

/* Prints a section that exists as text. */
void text_section(const struct document *document, const struct section *section,
                  const void *subject);

/* Documents in JSON. `schema` may be NULL: the document shows neither a schema nor the version.
 */
void json_begin(struct document *document, const char *schema);
void json_section(struct document *document, const struct section *section,
                  const void *subject);
void json_end(struct document *document);

#endif
