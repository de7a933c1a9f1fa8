/* SPDX-License-Identifier: MIT */
/* The columns are in one of two orders, and newer files begin with a header that names them;
 * the first line shows which it is.
 *
 * Names of classes and methods may have commas, and nothing is quoted but the attributes. So
 * the columns before the names are counted from the left, and those after them are where two
 * numbers, an event and a type follow each other. */
#include "formats/selogger/index/columns.h"

#include "formats/selogger/index/events.h"

#include <string.h>

enum { MAX_COLUMNS = 16 };

static const struct layout short_layout = {8, -1, {0, 1, 2, -1, -1, 3, 4, 5, 6, 7}};
static const struct layout long_layout = {10, 3, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}};

/* How well columns must fit to be taken for those after the names: what is in a name may look
 * like columns, too. */
enum fit {
    FIT_QUOTED, /* an event of SELogger, and attributes in quotes */
    FIT_EVENT,  /* an event of SELogger */
    FIT_WORD,   /* an event of another version: a word of capital letters */
    FITS
};

/* Whether the names stand between the columns that are counted from the left and the others. */
static bool has_order(const struct layout *layout)
{
    const int *positions = layout->positions;
    for (int column = 0; column < COLUMNS && layout->names >= 0; column++) {
        bool is_before = column < COLUMN_CLASS_NAME;
        if (column != COLUMN_CLASS_NAME && column != COLUMN_METHOD_NAME &&
            is_before != (positions[column] < layout->names))
            return false;
    }
    return layout->names < 0 ? positions[COLUMN_METHOD_NAME] < 0
                             : positions[COLUMN_METHOD_NAME] == layout->names + 1;
}

/* Sets *layout to the order of the names in the header; false: columns are missing. */
static bool read_header(const struct line *line, struct layout *layout)
{
    static const char *const names[COLUMNS] = {
        "DataID", "ClassID",          "MethodID",  "ClassName", "MethodName",
        "Line",   "InstructionIndex", "EventType", "ValueDesc", "Attributes"};
    struct piece pieces[MAX_COLUMNS];
    layout->count = (int)split_line(line, pieces, MAX_COLUMNS);
    for (int column = 0; column < COLUMNS; column++) {
        int *position = &layout->positions[column];
        for (*position = layout->count - 1; *position >= 0; --*position)
            if (piece_is(pieces[*position], names[column]))
                break;
        bool may_miss = column == COLUMN_CLASS_NAME || column == COLUMN_METHOD_NAME;
        if (*position < 0 && !may_miss)
            return false;
    }
    layout->names = layout->positions[COLUMN_CLASS_NAME];
    return has_order(layout) && layout->positions[COLUMN_ATTRIBUTES] == layout->count - 1;
}

bool layout_find(const struct line *line, struct layout *layout, bool *is_header)
{
    struct piece pieces[2], columns[COLUMNS];
    split_line(line, pieces, 2);
    *is_header = piece_is(pieces[0], "DataID");
    if (*is_header)
        return read_header(line, layout);
    *layout = short_layout;
    if (!layout_split(line, layout, columns))
        return true;
    *layout = long_layout;
    return !layout_split(line, layout, columns);
}

/* Whether the piece is the descriptor of a type, as far as values have one: of objects there
 * are only `Ljava/lang/Object;` and the like. */
static bool is_descriptor(struct piece piece)
{
    if (piece.length == 1)
        return memchr("ZBCSIJFDV", piece.text[0], 9) != NULL;
    return piece.length > 1 && (piece.text[0] == 'L' || piece.text[0] == '[');
}

static bool is_event(struct piece piece, enum fit fit)
{
    enum sel_event_kind event;
    if (fit != FIT_WORD)
        return event_find(piece, &event);
    for (size_t i = 0; i < piece.length; i++)
        if ((piece.text[i] < 'A' || piece.text[i] > 'Z') && piece.text[i] != '_')
            return false;
    return piece.length > 1;
}

static bool is_quoted(struct piece piece)
{
    return piece.length >= 2 && piece.text[0] == '"' && piece.text[piece.length - 1] == '"';
}

/* Whether the pieces are the column number `first` of the layout and those after it. */
static bool fit_columns(const struct piece *pieces, const struct layout *layout, int first,
                        enum fit fit)
{
    const int *positions = layout->positions;
    return piece_is_number(pieces[positions[COLUMN_LINE] - first]) &&
           piece_is_number(pieces[positions[COLUMN_INDEX] - first]) &&
           is_event(pieces[positions[COLUMN_EVENT] - first], fit) &&
           is_descriptor(pieces[positions[COLUMN_VALUE] - first]) &&
           (fit != FIT_QUOTED || is_quoted(pieces[positions[COLUMN_ATTRIBUTES] - first]));
}

/* Whether `tail` begins with the column number `first` of the layout; if so, sets columns[] to
 * that column and those after it. */
static bool split_tail(struct piece tail, const struct layout *layout, int first, enum fit fit,
                       struct piece columns[static COLUMNS])
{
    struct piece pieces[MAX_COLUMNS];
    size_t count = (size_t)(layout->count - first);
    if (split_piece(tail, pieces, count) < count || !fit_columns(pieces, layout, first, fit))
        return false;
    for (int column = 0; column < COLUMNS; column++)
        if (layout->positions[column] >= first)
            columns[column] = pieces[layout->positions[column] - first];
    return true;
}

/* Sets columns[] to the columns from the names on, which begin with `names`. Returns in how
 * many ways those after the names can be found. */
static unsigned find_columns(struct piece names, const struct layout *layout, enum fit fit,
                             struct piece columns[static COLUMNS])
{
    unsigned found = 0;
    struct piece tail = names, piece;
    split_first(&tail, &piece);
    while (found < 2 && split_first(&tail, &piece)) {
        if (!split_tail(tail, layout, layout->names + 2, fit, columns))
            continue;
        size_t length = (size_t)(tail.text - names.text) - 1;
        columns[COLUMN_CLASS_NAME] = (struct piece){names.text, length};
        found++;
    }
    return found;
}

const char *layout_split(const struct line *line, const struct layout *layout,
                         struct piece columns[static COLUMNS])
{
    struct piece rest = {line->text, line->length}, pieces[MAX_COLUMNS];
    unsigned found = 0;
    columns[COLUMN_CLASS_NAME] = columns[COLUMN_METHOD_NAME] = (struct piece){"", 0};
    for (int i = 0; i < layout->names; i++)
        if (!split_first(&rest, &pieces[i]))
            return "This line has too few columns";
    for (int column = 0; column < COLUMN_CLASS_NAME && layout->names >= 0; column++)
        columns[column] = pieces[layout->positions[column]];
    for (enum fit fit = FIT_QUOTED; fit < FITS && found == 0; fit++)
        found = layout->names < 0 ? split_tail(rest, layout, 0, fit, columns)
                                  : find_columns(rest, layout, fit, columns);
    if (found > 1)
        return "A name in this line looks like the columns that follow it, so where they begin "
               "is not known";
    return found == 1 ? NULL
                      : "This line has no columns LINE,INDEX,EVENT,TYPE,ATTRIBUTES where they "
                        "must be";
}
