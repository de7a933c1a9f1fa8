/* SPDX-License-Identifier: MIT */
/* A report as a document: sections of rows, whose columns are figures. What a figure is called
 * and how it is shown stands once, in its row of a table; text, JSON and TSV are printed from
 * that. HACKING.md, "Reports", has an example. */
#ifndef ETMERLIN_REPORT_FORM_DOCUMENT_H
#define ETMERLIN_REPORT_FORM_DOCUMENT_H

#include "report/form/value.h"
#include "report/print.h"
#include "report/report_settings.h"

/* Room for a text that a figure makes of others. */
enum { ROW_SCRATCH = 256 };

struct section;

/* A row, while it is printed. */
struct row {
    const struct section *section;
    const void *document; /* what the section is about; NULL: only the keys are wanted */
    const void *subject;  /* what the row is about */
    uint64_t at;          /* where `next` goes on; 0 at first */
    const char *key;    /* in JSON; "": its figures are those of the section; NULL: text only */
    const char *label;  /* in text */
    const char *unit;   /* of figures that have none */
    const char *remark; /* in text, at the end of the line; NULL: none */
    const char *note;   /* in text, on lines below; NULL: none */
    bool is_silent;     /* text leaves it out */
    bool is_missing;    /* text leaves it out, and JSON has null for all of it */
    char scratch[ROW_SCRATCH];
};

/* What a member of a subject is. */
enum member {
    MEMBER_NUMBER,
    MEMBER_IF,    /* a number, or nothing if another is 0 */
    MEMBER_SHARE, /* a number, whose share of another is the value */
    MEMBER_NODE,
    MEMBER_WIDE,
    MEMBER_TEXT,
    MEMBER_FLAG,
    MEMBER_MEAN
};

struct figure {
    /* In JSON and TSV: a path, as in "distance.mean"; "": the row has no other and is the
     * value. NULL: text alone shows the figure. */
    const char *key;
    const char *label; /* in text; NULL: text leaves it out */
    const char *unit;  /* as the schema names it: "objects", "bytes", "ticks", "percent" ... */
    int width;         /* of its column; 0: it ends the line, at the left of what is left */
    /* The value: of the member at `offset` of the subject, or of a function. */
    enum member member;
    size_t offset;
    size_t other; /* of MEMBER_IF and MEMBER_SHARE: the offset of the other number */
    struct value (*of)(struct row *row);
};

/* A figure that is `member` of the subject, a struct `type`; of a distribution, its mean. */
#define FIGURE(key_, label_, unit_, width_, type, member_)                                     \
    {.key = key_,                                                                              \
     .label = label_,                                                                          \
     .unit = unit_,                                                                            \
     .width = width_,                                                                          \
     .offset = offsetof(struct type, member_),                                                 \
     .member = _Generic(((struct type *)NULL)->member_,                                        \
         uint64_t: MEMBER_NUMBER,                                                              \
         uint32_t: MEMBER_NODE,                                                                \
         wide_sum: MEMBER_WIDE,                                                                \
         const char *: MEMBER_TEXT,                                                            \
         bool: MEMBER_FLAG,                                                                    \
         struct distribution: MEMBER_MEAN)}
/* Of two members that are uint64_t: `member`, or nothing if `condition` is 0. */
#define FIGURE_IF(key_, label_, unit_, width_, type, member_, condition)                       \
    {.key = key_,                                                                              \
     .label = label_,                                                                          \
     .unit = unit_,                                                                            \
     .width = width_,                                                                          \
     .member = _Generic(((struct type *)NULL)->member_, uint64_t: MEMBER_IF),                  \
     .offset = offsetof(struct type, member_),                                                 \
     .other = offsetof(struct type, condition)}
/* The same: the share that `part` has of `whole`, in percent. */
#define FIGURE_SHARE(key_, label_, width_, type, part, whole)                                  \
    {.key = key_,                                                                              \
     .label = label_,                                                                          \
     .unit = "percent",                                                                        \
     .width = width_,                                                                          \
     .member = _Generic(((struct type *)NULL)->part, uint64_t: MEMBER_SHARE),                  \
     .offset = offsetof(struct type, part),                                                    \
     .other = offsetof(struct type, whole)}
/* One that is the subject itself, a `kind` of enum member. */
#define FIGURE_SUBJECT(key_, label_, unit_, width_, kind)                                      \
    {.key = key_, .label = label_, .unit = unit_, .width = width_, .member = kind}
#define FIGURE_OF(key_, label_, unit_, width_, of_)                                            \
    {.key = key_, .label = label_, .unit = unit_, .width = width_, .of = of_}
/* Ends a list of figures. */
#define FIGURES_END {.key = NULL}

/* How text has a section; JSON has objects, and arrays of SECTION_LIST. */
enum section_form {
    SECTION_HEAD,    /* a line a figure, at the left; those that there are not are left out */
    SECTION_LINES,   /* the same at the right */
    SECTION_ROWS,    /* a line a row, which has a label */
    SECTION_UPRIGHT, /* a line a figure, a column a row */
    SECTION_LIST     /* a line a row, without label or key */
};

struct section {
    enum section_form form;
    const char *key;   /* a path; "": its members are those of the document */
    const char *title; /* over the text; NULL: it goes on with the section before */
    const struct figure *figures;
    int width; /* of the labels in text */
    int cell;  /* of the values of SECTION_LINES and SECTION_UPRIGHT */
    /* Sets what there is of the next row, from row->at on, and row->at after it; false: there
     * is none. NULL: one row, of the document itself. But for lists it is called without a
     * document, too, to learn the keys. */
    bool (*next)(struct row *row);
    /* Whether the document has the section; NULL: always. JSON has null instead. */
    bool (*exists)(const void *document);
    /* Of a list that document->show cuts off, and whose title is "rows" in "The first 10 of 12
     * rows:": how many rows there are in all. */
    uint64_t (*total)(const void *document);
};

/* The width of all heads. */
enum { HEAD_WIDTH = 10 };

/* A level of JSON that is open. */
struct json_level {
    char name[64]; /* empty: of a row in a list */
    bool is_list;
    bool has_members;
};

enum { JSON_LEVELS = 8 };

/* A document that is being printed. */
struct document {
    struct print *print;
    enum report_format format; /* text or JSON */
    uint64_t show;             /* most rows of a list that has a total */
    struct json_level levels[JSON_LEVELS];
    size_t depth;
};

/* Begins to print. `schema` is that of the JSON, NAME-VERSION for
 * share/schema/NAME-VERSION.json; the version grows when a member means something else or is no
 * longer there. */
struct document document_begin(struct print *print, enum report_format format,
                               const char *schema);

/* Prints a section of `subject`, which is not NULL. */
void document_put(struct document *document, const struct section *section,
                  const void *subject);

/* Prints sections, ended by one without figures. */
void document_print(struct document *document, const struct section *sections,
                    const void *subject);

void document_end(struct document *document);

/* Prints a list as a table with tabs, a line a row. Dots in keys are underscores in the names
 * of its columns. */
void document_print_table(struct print *print, const struct section *list, const void *subject);

/* Sections, ended by one without figures, and what they are about. */
struct document_part {
    const struct section *sections;
    const void *subject;
};

/* Prints all figures of `count` parts that have a key, but for those of lists, as a table of
 * one row. Columns have the keys of section, row and figure as names, with underscores between
 * them.
 */
void document_print_row(struct print *print, const struct document_part *parts, size_t count);

#endif
