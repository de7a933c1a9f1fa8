/* SPDX-License-Identifier: MIT */
/* The rows of an oracle (etmerlin-reports(5)): what was allocated and when to free it. Any
 * program may have written the file. The form is detected from the line of column names, or
 * from the first row. */
#ifndef ETMERLIN_REPORT_CHECK_ORACLE_ROWS_H
#define ETMERLIN_REPORT_CHECK_ORACLE_ROWS_H

#include "base/status.h"
#include "report/report_settings.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct oracle_row {
    uint64_t line;
    uint64_t object;        /* the trace's id */
    uint64_t size;          /* bytes */
    uint64_t sequence;      /* number of the allocation, from 1; events: the timestamp */
    uint64_t free_sequence; /* objects, threads: the allocation at which it may be freed */
    uint64_t thread;        /* threads: the one that allocates; events: that of the row */
    uint64_t free_thread;   /* threads: the one that frees */
    bool is_free;           /* events: the row is a free, not an allocation */
    const char *type;       /* unquoted, no terminator; valid until the next row */
    size_t type_length;
};

struct oracle_rows;

/* Opens the oracle `path` (NULL or "-": standard input), compressed or not, and finds its form.
 * The caller owns *out (oracle_rows_close). STATUS_SYNTAX: it is no oracle. An empty file is an
 * oracle without objects, of the form ORACLE_OBJECTS. */
enum status oracle_rows_open(struct oracle_rows **out, const char *path,
                             const struct interrupt *interrupt, struct failure *why) MUST_CHECK;

enum oracle_form oracle_rows_form(const struct oracle_rows *rows);

/* The name of the file, for messages. */
const char *oracle_rows_name(const struct oracle_rows *rows);

/* Sets *row to the next row. STATUS_END: there is none. STATUS_SYNTAX: it does not have the
 * columns of the form, or its time (events) or its number (objects) is less than that of the
 * row before. Gaps and repetitions of numbers, and when objects are freed, are not checked. */
enum status oracle_rows_next(struct oracle_rows *rows, struct oracle_row *row,
                             struct failure *why) MUST_CHECK;

/* Sets *why to the sentence `what` about the row of line `line`. Returns STATUS_MEANING. */
enum status oracle_rows_reject(const struct oracle_rows *rows, uint64_t line, const char *what,
                               struct failure *why);

/* NULL is allowed. */
void oracle_rows_close(struct oracle_rows *rows);

#endif
