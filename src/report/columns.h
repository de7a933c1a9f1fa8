/* SPDX-License-Identifier: MIT */
/* A table as a folder with a file for each column, NAME.npy, as NumPy has them (format 1.0):
 * numbers as little-endian integers, text as the number of a line of NAME.txt. Programs load
 * these at once, where they would have to parse lines. */
#ifndef ETMERLIN_REPORT_COLUMNS_H
#define ETMERLIN_REPORT_COLUMNS_H

#include "base/interrupt.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct columns;

/* Columns of `rows` rows each in the folder `folder`, which is there; failures call it `shown`,
 * the name that it gets. Both must stay as the strings. `interrupt` may be NULL. The caller
 * owns *out (columns_free). */
enum status columns_new(struct columns **out, const char *folder, const char *shown,
                        uint64_t rows, const struct interrupt *interrupt,
                        struct failure *why) MUST_CHECK;

/* Adds columns, whose names have one blank between them, before the first row. */
enum status columns_add(struct columns *columns, const char *names,
                        struct failure *why) MUST_CHECK;

/* Each puts a field into the row. STATUS_LIMIT: a number is 2^63 or more. */
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

/* Whether a folder has such files, and no others. */
bool columns_are_all(const char *folder);

#endif
