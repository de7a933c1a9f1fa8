/* SPDX-License-Identifier: MIT */
/* The columns of dataids.txt (etmerlin-formats(5), SELOGGER). */
#ifndef ETMERLIN_FORMATS_SELOGGER_INDEX_LAYOUT_H
#define ETMERLIN_FORMATS_SELOGGER_INDEX_LAYOUT_H

#include "formats/selogger/index/csv.h"
#include "io/lines.h"

#include <stdbool.h>

/* Columns that are read. */
enum column {
    COLUMN_DATA_ID,
    COLUMN_CLASS_ID,
    COLUMN_METHOD_ID,
    COLUMN_CLASS_NAME,
    COLUMN_METHOD_NAME,
    COLUMN_LINE,
    COLUMN_INDEX,
    COLUMN_EVENT,
    COLUMN_VALUE,
    COLUMN_ATTRIBUTES,
    COLUMNS
};

/* Where each column stands; -1: it is not there. */
struct layout {
    int count; /* 0: not known yet */
    int places[COLUMNS];
};

/* Finds out the layout from the first line; *is_header: whether that is a header. False: it is
 * of no layout. */
bool layout_find(const struct line *line, struct layout *layout, bool *is_header);

/* Sets columns[] to what the line has in each; false: it has not enough. */
bool layout_split(const struct line *line, const struct layout *layout,
                  struct piece columns[static COLUMNS]);

#endif
