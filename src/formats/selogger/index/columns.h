/* SPDX-License-Identifier: MIT */
/* A line of dataids.txt: its columns, and the attributes in the last one (etmerlin-formats(5),
 * SELOGGER). */
#ifndef ETMERLIN_FORMATS_SELOGGER_INDEX_COLUMNS_H
#define ETMERLIN_FORMATS_SELOGGER_INDEX_COLUMNS_H

#include "formats/selogger/index/csv.h"
#include "formats/selogger/index/instructions.h"
#include "io/lines.h"

#include <stdbool.h>

/* The columns that are read. */
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

/* The position of each column; -1: there is no such column. */
struct layout {
    int count; /* 0: not known yet */
    int positions[COLUMNS];
};

/* Finds out the layout from the first line. Sets *is_header to whether that is a header. False:
 * it has no known layout. */
bool layout_find(const struct line *line, struct layout *layout, bool *is_header);

/* Sets columns[] to the columns of a line; false: it has too few. */
bool layout_split(const struct line *line, const struct layout *layout,
                  struct piece columns[static COLUMNS]);

/* The attributes that are read. */
struct attributes {
    struct piece owner, name, type, element, description, method_type, created, new_parent;
    struct piece index, location, block, bootstrap;
};

/* Sets the attributes that `text` has, and makes the others empty. */
void attributes_read(struct piece text, struct attributes *attributes);

/* The flags (enum instruction_flag) of an instruction with this event, as far as they follow
 * from its attributes. */
uint16_t attributes_flags(enum sel_event_kind event, const struct attributes *attributes);

#endif
