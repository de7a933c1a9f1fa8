/* SPDX-License-Identifier: MIT */
/* The columns stand in one of two orders, and newer files begin with a header that names
 * them. Which it is shows in the first line. */
#include "formats/selogger/index/layout.h"

enum { MAX_COLUMNS = 16 };

static const struct layout short_layout = {8, {0, 1, 2, -1, -1, 3, 4, 5, 6, 7}};
static const struct layout long_layout = {10, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}};

static bool is_number(struct piece piece)
{
    int64_t value;
    return piece_number(piece, INT64_MIN, INT64_MAX, &value);
}

/* Sets *layout as the names in the header say; false: columns are missing. */
static bool read_header(const struct line *line, struct layout *layout)
{
    static const char *const names[COLUMNS] = {
        "DataID", "ClassID",          "MethodID",  "ClassName", "MethodName",
        "Line",   "InstructionIndex", "EventType", "ValueDesc", "Attributes"};
    struct piece pieces[MAX_COLUMNS];
    layout->count = (int)split_line(line, pieces, MAX_COLUMNS);
    for (int column = 0; column < COLUMNS; column++) {
        int *place = &layout->places[column];
        for (*place = layout->count - 1; *place >= 0; --*place)
            if (piece_is(pieces[*place], names[column]))
                break;
        bool may_miss = column == COLUMN_CLASS_NAME || column == COLUMN_METHOD_NAME;
        if (*place < 0 && !may_miss)
            return false;
    }
    return layout->places[COLUMN_ATTRIBUTES] == layout->count - 1;
}

bool layout_find(const struct line *line, struct layout *layout, bool *is_header)
{
    struct piece pieces[5];
    size_t count = split_line(line, pieces, 5);
    *is_header = piece_is(pieces[0], "DataID");
    if (*is_header)
        return read_header(line, layout);
    *layout = count == 5 && is_number(pieces[3]) ? short_layout : long_layout;
    return count == 5;
}

bool layout_split(const struct line *line, const struct layout *layout,
                  struct piece columns[static COLUMNS])
{
    struct piece pieces[MAX_COLUMNS];
    if (split_line(line, pieces, (size_t)layout->count) < (size_t)layout->count)
        return false;
    for (int column = 0; column < COLUMNS; column++)
        columns[column] =
            layout->places[column] < 0 ? (struct piece){"", 0} : pieces[layout->places[column]];
    return true;
}
