/* SPDX-License-Identifier: MIT */
/* The columns of a line of dataids.txt (etmerlin-formats(5), SELOGGER). */
#ifndef ETMERLIN_FORMATS_SELOGGER_INDEX_COLUMNS_H
#define ETMERLIN_FORMATS_SELOGGER_INDEX_COLUMNS_H

#include "formats/selogger/index/csv.h"
#include "io/lines.h"

#include <stdbool.h>

/* The columns that are read. */
enum column {
    COLUMN_DATA_ID,
    COLUMN_CLASS_ID,
    COLUMN_METHOD_ID,
    COLUMN_CLASS_NAME, /* layout_split: both names, with a comma between them */
    COLUMN_METHOD_NAME,
    COLUMN_LINE,
    COLUMN_INDEX,
    COLUMN_EVENT,
    COLUMN_VALUE,
    COLUMN_ATTRIBUTES,
    COLUMNS
};

struct layout {
    int count;              /* of the columns; 0: not known yet */
    int names;              /* how many columns are before the names; -1: there are no names */
    int positions[COLUMNS]; /* of each column; -1: there is no such column */
};

/* Finds out the layout from the first line. Sets *is_header to whether that is a header. False:
 * it has no known layout. */
bool layout_find(const struct line *line, struct layout *layout, bool *is_header);

/* Sets columns[] to the columns of a line, but leaves the two names together: split_member
 * splits them. Returns what is wrong with the line; NULL: nothing. */
const char *layout_split(const struct line *line, const struct layout *layout,
                         struct piece columns[static COLUMNS]) MUST_CHECK;

#endif
