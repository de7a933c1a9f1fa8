/* SPDX-License-Identifier: MIT */
/* A report in any form: sections of rows of figures. A figure is a call, in which its key, its
 * label, its unit and its value stand together; text, JSON and TSV are printed from these
 * calls, and nothing else prints them. HACKING.md, "A figure is a call", has an example. */
#ifndef ETMERLIN_REPORT_FORM_FORM_H
#define ETMERLIN_REPORT_FORM_FORM_H

#include "report/form/value.h"
#include "report/print.h"
#include "report/report_settings.h"

/* Room for a text that is composed for a figure, a label or a note, in bytes. */
enum { COMPOSED_SIZE = 256 };

/* The width of all heads. */
enum { HEAD_WIDTH = 10 };

struct form;

/* Each begins a form, which form_finish ends and releases. NULL: it cannot be, and
 * print->status has that.
 *
 * Text or JSON. `schema` is the name of the JSON's schema: NAME-VERSION for
 * share/schema/NAME-VERSION.json. The version grows when a member changes its meaning or
 * disappears. */
struct form *form_begin(struct print *print, enum report_format format,
                        const char *schema) MUST_CHECK;
/* Text without empty lines, and JSON within a script element of HTML. */
struct form *form_begin_tight(struct print *print) MUST_CHECK;
struct form *form_begin_in_html(struct print *print, const char *schema) MUST_CHECK;
/* Data for the script of a page: JSON within a script element, in which large numbers are not
 * quoted. A list is an object: "columns" are its keys, and "rows" an array for each row, on a
 * line of its own, in which texts are cut off after `longest` bytes. A list whose only figure
 * has the key "" is an array of values. */
struct form *form_begin_data(struct print *print, size_t longest) MUST_CHECK;
/* A table with tabs, which has the rows of one list. Dots in keys are underscores in the names
 * of its columns. */
struct form *form_begin_table(struct print *print) MUST_CHECK;
/* The present row of `table`: it gets the figures that have a key, except those of lists whose
 * rows have none. A column is called by the keys of section, row and figure, with underscores
 * between them. With `columns`, names separated by blanks in the order of the figures, only
 * these are put; with `are_names`, their names. */
struct form *form_begin_row(struct print *print, struct table *table, const char *columns,
                            bool are_names) MUST_CHECK;

/* Ends what was begun, and releases it, also after a failure, which print->status has. */
void form_finish(struct form *form);

bool form_is_text(const struct form *form);

/* Each of these begins a section, and ends the one before. `path` is where its members are in
 * JSON, with dots between keys; "": among those of the document. `title` stands above the text;
 * NULL: the text continues the section before. Titles and paths must outlive the section;
 * `width` is that of the labels in text.
 *
 * The lines at the top of a text: a figure each, at the left, none for those without a value.
 */
void form_head(struct form *form, const char *path);
/* The same, with values in a column that is `cell` wide, and a title. */
void form_lines(struct form *form, const char *path, const char *title, int width, int cell);
/* A line a row, with its label; in JSON, a member a row. */
void form_rows(struct form *form, const char *path, const char *title, int width);
/* A line a figure, and a column a row. */
void form_upright(struct form *form, const char *path, const char *title, int width, int cell);
/* A line a row; in JSON, an array of rows. */
void form_list(struct form *form, const char *path, const char *title, int width);
/* The same, of which `show` rows of `total` are put; the title is like "rows" in "The first 10
 * of 12 rows:". */
void form_list_of(struct form *form, const char *path, const char *title, uint64_t show,
                  uint64_t total);

/* The section that was begun is missing unless `is_there`: text leaves it out, JSON has null,
 * and TSV has empty fields. Its figures are put all the same. */
void form_only_if(struct form *form, bool is_there);

/* Ends a section. */
void form_end(struct form *form);

/* Begins a row of a section that is not of lines. `key` is its name in JSON; "": its figures
 * are those of the section; NULL: it is in text only. Rows of lists have keys in TSV only. */
void form_row(struct form *form, const char *key, const char *label);
/* Begins a row of a list, without a name. */
void form_item(struct form *form);
/* As form_row; without `is_there` text leaves the row out, and JSON has null. Its figures are
 * put all the same. */
void form_row_if(struct form *form, bool is_there, const char *key, const char *label);
/* Of the row that was begun: text leaves it out. */
void form_hide_row(struct form *form);
/* A remark at the end of its line, and a note on lines below. NULL: none. */
void form_remark(struct form *form, const char *remark);
void form_note(struct form *form, const char *note);

/* Whether row number `i`, from 0, of `count` is to be put. If there are none, one is put that
 * only names the columns of the list: the figures of the first row, with any values. */
bool form_next(struct form *form, uint64_t i, uint64_t count);

/* Makes a call for what is put, unless something has failed; if the call fails, nothing more is
 * printed. form_failure is where it says why. */
#define form_try(form_, call)                                                                  \
    do {                                                                                       \
        if (form_works(form_))                                                                 \
            form_keep_status(form_, (call));                                                   \
    } while (false)
bool form_works(const struct form *form);
void form_keep_status(struct form *form, enum status status);
struct failure *form_failure(const struct form *form);

/* The value of a name that was made; NULL: there was no memory for it, and printing fails. */
struct value form_name(struct form *form, const char *made);

/* What a report puts for another one, which shows it among other things: a list of `rows` rows
 * in the data of the page. */
struct form_part {
    void (*put)(struct form *form, const void *subject); /* NULL: there is nothing */
    const void *subject;
    uint64_t rows;
};

/* Puts a figure that text does not show. `key` is its name in JSON and TSV, a path; "": it is
 * the value of its row. `unit` is as the schema names it: "objects", "bytes", "percent" ... */
void form_put(struct form *form, const char *key, const char *unit, struct value value);
/* Puts a figure that is a line of text: of a head, of lines, and of what is upright. `key`
 * NULL: only text shows it. */
void form_line(struct form *form, const char *key, const char *label, const char *unit,
               struct value value);
/* Puts a figure that is a column of text, `width` wide; 0: it is one of the last, at the left.
 */
void form_cell(struct form *form, const char *key, const char *label, int width,
               const char *unit, struct value value);

#endif
