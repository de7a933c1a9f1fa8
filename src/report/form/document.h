/* SPDX-License-Identifier: MIT */
/* A report as a document: sections of rows, whose columns are figures. The names of a figure
 * and how it is shown are in one place, its row of a table; text, JSON and TSV are printed from
 * that. HACKING.md, "Reports are documents", has an example. */
#ifndef ETMERLIN_REPORT_FORM_DOCUMENT_H
#define ETMERLIN_REPORT_FORM_DOCUMENT_H

#include "report/form/value.h"
#include "report/print.h"
#include "report/report_settings.h"

/* Room for a text that is composed for a row, in bytes. */
enum { ROW_SCRATCH = 256 };

struct section;

/* A row, while it is printed. */
struct row {
    const struct section *section;
    const void *document; /* what the section is about; NULL: only the keys are wanted */
    const void *subject;  /* what the row is about; NULL: its values are missing */
    /* Where `next` continues: 0 at first, later usually the number of rows so far. */
    uint64_t at;
    const char *key;    /* in JSON; "": its figures are those of the section; NULL: text only */
    const char *label;  /* in text */
    const char *unit;   /* of figures that have none */
    const char *remark; /* in text, at the end of the line; NULL: none */
    const char *note;   /* in text, on lines below; NULL: none */
    bool is_silent;     /* text leaves it out */
    bool is_missing;    /* text leaves it out, and JSON has null for all of it */
    char scratch[ROW_SCRATCH];
};

/* A member of a struct: of the subject of a row, or of the document. */
struct member {
    size_t offset, size; /* size 0: none */
    bool is_of_document;
};

#define MEMBER_SIZE(type, member_) sizeof((struct type *)NULL)->member_
#define MEMBER(type, member_)                                                                  \
    {.offset = offsetof(struct type, member_), .size = MEMBER_SIZE(type, member_)}
#define DOCUMENT_MEMBER(type, member_)                                                         \
    {.offset = offsetof(struct type, member_),                                                 \
     .size = MEMBER_SIZE(type, member_),                                                       \
     .is_of_document = true}

/* How a member is read. */
enum member_kind {
    MEMBER_NUMBER,
    MEMBER_WIDE,
    MEMBER_TEXT,
    MEMBER_FLAG,
    MEMBER_MEAN, /* of a distribution */
    MEMBER_GINI,
    MEMBER_VALUE,
    MEMBER_SHARE,      /* the share that it has of `other` */
    MEMBER_WIDE_SHARE, /* the same, for sums */
    MEMBER_QUOTIENT,   /* it is a sum, divided by `other` */
    MEMBER_WORD        /* its index among `words` */
};

struct figure {
    /* In JSON and TSV: a path, as in "distance.mean"; "": the row has only this figure, and is
     * its value. NULL: only text shows the figure. */
    const char *key;
    const char *label; /* in text; NULL: text leaves it out */
    const char *unit;  /* as the schema names it: "objects", "bytes", "ticks", "percent" ... */
    int width;         /* of its column; 0: it is the last of the line, at the left */
    /* The value: that of a member, or what a function returns. */
    enum member_kind kind;
    struct member value;
    struct member other;
    struct member only_if; /* without a value if this is 0; no member: always with one */
    const char *const *words;
    struct value (*of)(struct row *row);
};

#define KIND_OF(type, member_)                                                                 \
    _Generic(((struct type *)NULL)->member_,                                                   \
        uint64_t: MEMBER_NUMBER,                                                               \
        uint32_t: MEMBER_NUMBER,                                                               \
        wide_sum: MEMBER_WIDE,                                                                 \
        char *: MEMBER_TEXT,                                                                   \
        const char *: MEMBER_TEXT,                                                             \
        bool: MEMBER_FLAG,                                                                     \
        struct distribution: MEMBER_MEAN,                                                      \
        struct gini: MEMBER_GINI,                                                              \
        struct value: MEMBER_VALUE)
#define FIGURE_TITLES(key_, label_, unit_, width_)                                             \
    .key = key_, .label = label_, .unit = unit_, .width = width_

/* A figure that is `member` of the subject, a struct `type`. */
#define FIGURE(key_, label_, unit_, width_, type, member_)                                     \
    {FIGURE_TITLES(key_, label_, unit_, width_), .kind = KIND_OF(type, member_),               \
     .value = MEMBER(type, member_)}
/* The same, or nothing if `condition`, a member of the subject, is 0. */
#define FIGURE_IF(key_, label_, unit_, width_, type, member_, condition)                       \
    {FIGURE_TITLES(key_, label_, unit_, width_), .kind = KIND_OF(type, member_),               \
     .value = MEMBER(type, member_), .only_if = MEMBER(type, condition)}
/* The same, where `condition` is a member of the document, a struct `whole`. */
#define FIGURE_WHERE(key_, label_, unit_, width_, type, member_, whole, condition)             \
    {FIGURE_TITLES(key_, label_, unit_, width_), .kind = KIND_OF(type, member_),               \
     .value = MEMBER(type, member_), .only_if = DOCUMENT_MEMBER(whole, condition)}
/* The share that `part` has of `whole`, both members of the subject, in percent. */
#define FIGURE_SHARE(key_, label_, width_, type, part, whole)                                  \
    {FIGURE_TITLES(key_, label_, "percent", width_), .kind = MEMBER_SHARE,                     \
     .value = MEMBER(type, part), .other = MEMBER(type, whole)}
/* The share that `part` of the subject has of `all` of the document, a struct `whole`. */
#define FIGURE_PART(key_, label_, width_, type, part, whole, all)                              \
    {FIGURE_TITLES(key_, label_, "percent", width_), .kind = MEMBER_SHARE,                     \
     .value = MEMBER(type, part), .other = DOCUMENT_MEMBER(whole, all)}
/* The same of sums that are a wide_sum. */
#define FIGURE_WIDE_PART(key_, label_, width_, type, part, whole, all)                         \
    {FIGURE_TITLES(key_, label_, "percent", width_), .kind = MEMBER_WIDE_SHARE,                \
     .value = MEMBER(type, part), .other = DOCUMENT_MEMBER(whole, all)}
/* `sum`, a wide_sum of the subject, divided by `count`, a MEMBER or DOCUMENT_MEMBER. */
#define FIGURE_QUOTIENT(key_, label_, unit_, width_, type, sum, count)                         \
    {FIGURE_TITLES(key_, label_, unit_, width_), .kind = MEMBER_QUOTIENT,                      \
     .value = MEMBER(type, sum), .other = count}
/* A word for an enumeration, or for a flag. */
#define FIGURE_WORD(key_, label_, width_, type, member_, words_)                               \
    {FIGURE_TITLES(key_, label_, "word", width_), .kind = MEMBER_WORD,                         \
     .value = MEMBER(type, member_), .words = words_}
/* A figure that is the subject itself, a number. */
#define FIGURE_SUBJECT(key_, label_, unit_, width_)                                            \
    {                                                                                          \
        FIGURE_TITLES(key_, label_, unit_, width_), .value = {.size = sizeof(uint64_t) }       \
    }
/* The share that such a subject has of `all` of the document. */
#define FIGURE_SUBJECT_PART(key_, label_, width_, whole, all)                                  \
    {FIGURE_TITLES(key_, label_, "percent", width_), .kind = MEMBER_SHARE,                     \
     .value = {.size = sizeof(uint64_t)}, .other = DOCUMENT_MEMBER(whole, all)}
#define FIGURE_OF(key_, label_, unit_, width_, of_)                                            \
    {FIGURE_TITLES(key_, label_, unit_, width_), .of = of_}
/* Ends a list of figures. */
#define FIGURES_END {.key = NULL}

/* A row whose subject is a member of the document. */
struct named_row {
    const char *key, *label, *unit, *remark; /* as in struct row; a unit of NULL: "" */
    struct member subject;
    struct member only_if; /* the row is missing if this is 0; no member: never */
};

#define ROW(key_, label_, type, member_)                                                       \
    {.key = key_, .label = label_, .subject = MEMBER(type, member_)}
/* Ends a list of named rows. */
#define ROWS_END {.key = NULL}

/* Rows that are the elements of an array. */
struct row_array {
    size_t offset; /* in the document: of the array, or of a pointer to it */
    size_t size;   /* of an element; 0: there is no array */
    uint64_t length;
    struct member count; /* the number of elements; no member: `length` */
    bool are_pointers;   /* the elements are pointers to the subjects */
};

/* An array in the document. */
#define ARRAY(type, member_)                                                                   \
    {.offset = offsetof(struct type, member_),                                                 \
     .size = MEMBER_SIZE(type, member_[0]),                                                    \
     .length = MEMBER_SIZE(type, member_) / MEMBER_SIZE(type, member_[0])}
/* The first `count` of them. */
#define ARRAY_PART(type, member_, count_)                                                      \
    {.offset = offsetof(struct type, member_),                                                 \
     .size = MEMBER_SIZE(type, member_[0]),                                                    \
     .length = UINT64_MAX,                                                                     \
     .count = MEMBER(type, count_)}
/* An array of `count` elements that `member` points to. */
#define ARRAY_AT(type, member_, count_)                                                        \
    {.offset = offsetof(struct type, member_),                                                 \
     .size = MEMBER_SIZE(type, member_[0]),                                                    \
     .count = MEMBER(type, count_)}
/* The same; its elements are pointers to the subjects. */
#define POINTERS_AT(type, member_, count_)                                                     \
    {.offset = offsetof(struct type, member_),                                                 \
     .size = sizeof(void *),                                                                   \
     .count = MEMBER(type, count_),                                                            \
     .are_pointers = true}

/* The form of a section in text. In JSON, SECTION_LIST is an array, all others are objects. */
enum section_form {
    SECTION_HEAD,    /* a line a figure, at the left; figures without a value are left out */
    SECTION_LINES,   /* the same, at the right */
    SECTION_ROWS,    /* a line a row, with a label */
    SECTION_UPRIGHT, /* a line a figure, a column a row */
    SECTION_LIST     /* a line a row, without label or key */
};

/* Its rows are those of `next`, of `rows`, or of an array. Otherwise it is one row, about the
 * member `subject` of the document or, without such a member, about the document itself. */
struct section {
    enum section_form form;
    const char *key;   /* a path; "": its members are members of the document */
    const char *title; /* above the text; NULL: the text continues the section before */
    const struct figure *figures;
    int width;        /* of the labels in text */
    int cell;         /* of the values of SECTION_LINES and SECTION_UPRIGHT */
    const char *unit; /* of figures without one; NULL: none */
    /* Sets the members of the next row, the one at row->at, and moves row->at past it; false:
     * there are no more. Except in lists, it is also called without a document, to learn the
     * keys. */
    bool (*next)(struct row *row);
    const struct named_row *rows;
    struct row_array array;
    struct member subject;
    bool is_pointer; /* the subject is what the member points to */
    /* Called for each row after its subject is set, also without a document: sets its other
     * members. */
    void (*name)(struct row *row);
    struct member shown_if; /* text leaves out rows where this is 0; no member: none */
    struct member only_if;  /* the section is missing if this is 0: JSON has null */
    /* How many rows a list has in all. Such a list has at most document->show rows, and its
     * title is like "rows" in "The first 10 of 12 rows:". */
    struct member total;
};

#define SECTION(form_, key_, title_, width_, cell_, ...)                                       \
    {.form = SECTION_##form_,                                                                  \
     .key = key_,                                                                              \
     .title = title_,                                                                          \
     .width = width_,                                                                          \
     .cell = cell_,                                                                            \
     .figures = __VA_ARGS__}
/* The lines at the top of a document. */
#define HEAD(...) SECTION(HEAD, "", NULL, HEAD_WIDTH, 0, __VA_ARGS__)
/* Ends a list of sections. */
#define SECTIONS_END {.figures = NULL}

/* The width of all heads. */
enum { HEAD_WIDTH = 10 };

/* A level of JSON that is open. */
struct json_level {
    char name[64]; /* empty: it is a row of a list */
    bool is_list;
    bool has_members;
};

enum { JSON_LEVELS = 8 };

/* A document that is being printed. */
struct document {
    struct print *print;
    enum report_format format; /* text or JSON */
    uint64_t show;             /* the most rows of a list with a total */
    bool is_tight;             /* text has no empty lines */
    bool is_in_html;           /* JSON within a script element; see form_begin_data */
    size_t longest; /* lists are tables, whose texts have at most so many bytes; 0: they are
                       arrays */
    struct json_level levels[JSON_LEVELS];
    size_t depth;
};

/* Begins to print. `schema` is the name of the JSON's schema: NAME-VERSION for
 * share/schema/NAME-VERSION.json. The version grows when a member changes its meaning or
 * disappears. */
struct document document_begin(struct print *print, enum report_format format,
                               const char *schema);

/* Prints all sections of the list. */
void document_print(struct document *document, const struct section *sections,
                    const void *subject);

void document_end(struct document *document);

/* Prints a list as a table with tabs, a line a row. Dots in keys are underscores in the names
 * of its columns. */
void document_print_table(struct print *print, const struct section *list, const void *subject);

/* A list of sections (SECTIONS_END ends it), and what they are about. */
struct document_part {
    const struct section *sections;
    const void *subject;
};

/* Prints the figures of `count` parts that have a key, except those of lists whose rows have no
 * keys, as a table of one row. The name of a column is made of the keys of the section, the row
 * and the figure, with underscores between them. */
void document_print_row(struct print *print, const struct document_part *parts, size_t count);

#endif
