/* SPDX-License-Identifier: MIT */
/* Puts rows that become known late in the order of the places to which they belong: objects,
 * for instance, which are known only when they have died, in the order of their allocation. */
#ifndef ETMERLIN_REPORT_LIVES_LATE_ROWS_H
#define ETMERLIN_REPORT_LIVES_LATE_ROWS_H

#include "io/spool.h"

#include <stddef.h>
#include <stdint.h>

/* The first numbers of a row. */
enum {
    LATE_PLACE, /* where it belongs */
    LATE_ORDER, /* among rows of one place */
    LATE_KNOWN, /* where it is known: not before its place */
    LATE_FIRST  /* the first number of the caller's own */
};

/* Most numbers of a row. */
enum { LATE_ROW_MAX = 10 };

struct late_rows;

/* Without rows yet; each has `width` numbers, LATE_FIRST to LATE_ROW_MAX. They go to temporary
 * files in `place` (NULL: see spool_open). The caller owns *out (late_rows_close). */
enum status late_rows_open(struct late_rows **out, size_t width,
                           const struct spool_place *place, struct failure *why) MUST_CHECK;

/* Adds a row, which is not known before the one added before. */
enum status late_rows_add(struct late_rows *rows, const uint64_t *row,
                          struct failure *why) MUST_CHECK;

/* Call it when all rows have been added, before late_rows_next. Takes memory for the most rows
 * that wait at one place: that belong before it and become known behind it. */
enum status late_rows_finish(struct late_rows *rows, struct failure *why) MUST_CHECK;

/* Sets `row` to the next one, ascending by place, then by order. STATUS_END: there is none. */
enum status late_rows_next(struct late_rows *rows, uint64_t *row,
                           struct failure *why) MUST_CHECK;

/* NULL is allowed. */
void late_rows_close(struct late_rows *rows);

#endif
