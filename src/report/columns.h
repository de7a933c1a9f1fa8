/* SPDX-License-Identifier: MIT */
/* A table as a folder with a file for each column: NAME.npy, in NumPy's format 1.0. Numbers are
 * little-endian integers, texts the numbers of lines of NAME.txt. Programs load such files
 * without parsing. */
#ifndef ETMERLIN_REPORT_COLUMNS_H
#define ETMERLIN_REPORT_COLUMNS_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct columns;

/* Begins columns of `rows` rows each in `folder`, which exists. Failures name it `shown`, the
 * name that it gets in the end. Both strings must outlive the columns. `interrupt` may be NULL.
 * The caller owns *out (columns_free). */
enum status columns_new(struct columns **out, const char *folder, const char *shown,
                        uint64_t rows, const struct interrupt *interrupt,
                        struct failure *why) MUST_CHECK;

/* Adds columns, before the first row. `names` has their names, separated by one blank each. */
enum status columns_add(struct columns *columns, const char *names,
                        struct failure *why) MUST_CHECK;

/* Each puts the next field into the row: not more fields than there are columns. STATUS_LIMIT:
 * a number is 2^63 or more, or a column has more than 2^31 different texts. */
enum status columns_put_number(struct columns *columns, uint64_t number,
                               struct failure *why) MUST_CHECK;
enum status columns_put_text(struct columns *columns, const char *text, size_t length,
                             struct failure *why) MUST_CHECK;
enum status columns_put_empty(struct columns *columns, struct failure *why) MUST_CHECK;

void columns_end_row(struct columns *columns);

/* After the last row: writes what is outstanding, the files of text, and a README. */
enum status columns_end(struct columns *columns, struct failure *why) MUST_CHECK;

/* Drops what has not been written; NULL is allowed. */
void columns_free(struct columns *columns);

/* Whether a folder has the README of columns, as columns_end writes it, and besides only files
 * of the columns that it lists. */
bool columns_are_all(const char *folder);

#endif
