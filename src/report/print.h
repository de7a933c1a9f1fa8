/* SPDX-License-Identifier: MIT */
/* What reports are printed with, into a sink: texts, and tables. After a failure nothing more
 * is written, and the status stays, so it is enough to check it at the end of a report. */
#ifndef ETMERLIN_REPORT_PRINT_H
#define ETMERLIN_REPORT_PRINT_H

#include "base/status.h"
#include "io/sink.h"

#include <stdbool.h>
#include <stdint.h>

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

/* Prints a string for programs: what they read is `text`, except that bytes which are not UTF-8
 * become \xHH. */
void json_print_exact(struct print *print, const char *text);

/* Prints a string for people. What is not to be shown (text_shown_length) becomes \xHH; <, >
 * and & are escaped as well, so that it can stand in a script within HTML. */
void json_print_string(struct print *print, const char *text);

/* As json_print_string, but prints at most `most` bytes between the quotes, and an ellipsis in
 * place of the rest. */
void json_print_cut_string(struct print *print, const char *text, size_t most);

enum { TABLE_BUFFER = 64 * 1024 };

struct columns; /* report/columns.h */

/* A table: a line of column names, then a line a row. Fields are separated by tabs or, in a
 * file named .csv, by commas. */
struct table {
    struct sink *sink;
    struct failure *why;
    enum status status;
    char separator;
    bool in_row;             /* the row has a field */
    struct columns *columns; /* if not NULL, fields go there instead of the sink */
    size_t length;
    char *buffer;
};

/* Begins a table in `sink`. Its separator is a comma if `path` is NAME.csv, or NAME.csv.SUFFIX
 * with the suffix of a codec, otherwise a tab. table_end ends it, also after a failure. */
enum status table_begin(struct table *table, struct sink *sink, const char *path,
                        struct failure *why) MUST_CHECK;

/* Begins a table of `rows` rows whose columns are files of `folder`: see columns_new. */
enum status table_begin_columns(struct table *table, const char *folder, const char *shown,
                                uint64_t rows, const struct interrupt *interrupt,
                                struct failure *why) MUST_CHECK;

/* Each puts a field into the row. In CSV, text with a comma, quote, tab or line end is quoted.
 * What else is not to be shown (text_shown_length) is escaped as by text_escape, and a
 * backslash is doubled. */
void table_number(struct table *table, uint64_t number);
void table_text(struct table *table, const char *text);
void table_letter(struct table *table, char letter);
void table_empty(struct table *table);

/* Puts a line of its own, which begins with a "#", not with a field. Not for columns. */
void table_comment(struct table *table, const char *line);

/* Puts several column names, separated by one blank each. */
void table_names(struct table *table, const char *names);

void table_end_row(struct table *table);

/* Writes what is outstanding and releases the buffer; returns table->status. */
enum status table_end(struct table *table) MUST_CHECK;

/* Releases a table that has not been ended; one that has is left alone. */
void table_free(struct table *table);

#endif
