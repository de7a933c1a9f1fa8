/* SPDX-License-Identifier: MIT */
/* What the printers of forms share: the form, with what is not printed yet. Each prints a row
 * when it is complete, and what is left when its section ends. */
#ifndef ETMERLIN_REPORT_FORM_PRINTERS_H
#define ETMERLIN_REPORT_FORM_PRINTERS_H

#include "report/form/form.h"

enum form_kind {
    FORM_TEXT,
    FORM_JSON,
    FORM_DATA,  /* JSON whose lists are tables */
    FORM_TABLE, /* of the rows of one list */
    FORM_ROW    /* a row of a table, of all figures that have a name there */
};

/* A figure of a row that is not printed yet. */
struct form_cell {
    const char *key, *label;
    int width;
    struct value value;
    size_t text; /* of a value that is one: where it is kept, and 1 */
};

/* A row that is not printed yet. Texts are kept in the form: where, and 1; 0: there is none. */
struct form_row {
    bool is_there;
    bool is_silent;      /* text leaves it out */
    bool is_missing;     /* text leaves it out, and JSON has null */
    bool names_columns;  /* it only does that */
    size_t first, count; /* cells */
    size_t key, label, remark, note;
};

/* The form of a section in text. In JSON, lists are arrays, all others are objects. */
enum section_form { SECTION_HEAD, SECTION_LINES, SECTION_ROWS, SECTION_UPRIGHT, SECTION_LIST };

struct form_section {
    enum section_form form;
    const char *path, *title;
    int width, cell;
    bool has_total, is_missing;
    uint64_t show, total;
    uint64_t rows; /* printed so far */
    size_t depth;  /* in JSON: of its members */
    bool is_there, is_open, is_of_values;
};

/* A level of JSON that is open. */
struct json_level {
    char name[64]; /* empty: it is a row of a list */
    bool is_list;
    bool has_members;
};

enum { JSON_LEVELS = 8 };

struct form {
    struct print *print;
    enum form_kind kind;
    const char *schema; /* of FORM_JSON; NULL: it has neither a schema nor the version */
    bool is_tight;      /* text has no empty lines */
    bool is_in_html;    /* JSON is within a script element */
    size_t longest;     /* of FORM_DATA: bytes of a text in a list */
    struct json_level levels[JSON_LEVELS];
    size_t depth;
    struct table *table; /* of FORM_TABLE and FORM_ROW */
    struct table own;
    const char *columns; /* of FORM_ROW: the names of those still to come; NULL: all */
    bool are_names;      /* of FORM_ROW: names are put instead of values */
    struct form_section section;
    struct form_row row;
    bool has_no_rows; /* the next row only names columns */
    struct form_cell *cells;
    size_t cell_count, cell_capacity;
    struct form_row *rows; /* of a section that is printed when it ends */
    size_t row_count, row_capacity;
    char *texts;
    size_t text_length, text_capacity;
};

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

/* JSON begins and ends. */
void form_begin_json(struct form *form);
void form_finish_json(struct form *form);

#endif
