/* SPDX-License-Identifier: MIT */
/* What has no commas, such as numbers, shows where names begin and end; so does a name that the
 * line has twice. */
#include "formats/selogger/rows.h"

#include <ctype.h>
#include <string.h>

/* Names with more commas are not looked for: a long line that repeats itself would be compared
 * with itself once for each of its commas. */
enum { MOST_COMMAS = 255 };

/* How many commas the piece has, at most `limit`. */
static unsigned count_commas(struct piece piece, unsigned limit)
{
    struct piece first;
    unsigned count = 0;
    while (count < limit && split_first(&piece, &first))
        count++;
    return count;
}

/* The part of `whole` that ends with the comma before `rest`, without that comma. */
static struct piece part_before(struct piece whole, struct piece rest)
{
    return (struct piece){whole.text, (size_t)(rest.text - whole.text) - 1};
}

static bool is_level(struct piece piece)
{
    return piece_is(piece, "Normal") || piece_is(piece, "IgnoreArrayInitializer") ||
           piece_is(piece, "OnlyEntryExit") || piece_is(piece, "Failed");
}

static bool is_hash(struct piece piece)
{
    for (size_t i = 0; i < piece.length; i++)
        if (!isalnum((unsigned char)piece.text[i]))
            return false;
    return true;
}

/* Takes the level of a class, to which *level is set, and the hash off *rest, which begins
 * after a comma; false: it does not begin with them. *rest becomes empty if nothing follows. */
static bool skip_level(struct piece *rest, struct piece *level)
{
    struct piece hash = {"", 0};
    if (!split_first(rest, level) || !is_level(*level))
        return false;
    if (!split_first(rest, &hash)) {
        hash = *rest;
        *rest = (struct piece){"", 0};
    }
    return is_hash(hash);
}

/* The name of the type in LOADER:NAME, where LOADER has no commas; empty: there is none. */
static struct piece name_in_loader(struct piece loader)
{
    size_t at = 0;
    while (at < loader.length && loader.text[at] != ':' && loader.text[at] != ',')
        at++;
    if (at == loader.length || loader.text[at] == ',')
        return (struct piece){"", 0};
    return (struct piece){loader.text + at + 1, loader.length - at - 1};
}

/* The length of the type at the beginning of `text` whose loader, LOADER:NAME, is `loader`; 0:
 * it is of another type. */
static size_t length_of_type(struct piece text, struct piece loader)
{
    struct piece name = name_in_loader(loader);
    if (name.length > NAME_LONGEST || count_commas(name, MOST_COMMAS + 1) > MOST_COMMAS)
        return 0;
    return piece_begins_with_type(text, name);
}

/* Whether `loader`, LOADER:CLASS[,ANNOTATIONS], may be of the class `name`. */
static bool is_loader_of(struct piece loader, struct piece name)
{
    struct piece shown = name_in_loader(loader);
    return shown.length == 0 ||
           (shown.length >= name.length && memcmp(shown.text, name.text, name.length) == 0 &&
            (shown.length == name.length || shown.text[name.length] == ','));
}

/* Sets *name to the name that stands twice at the end of LOCATION,FILE,CLASS. SELogger writes
 * the same name as that of the file and as that of the class. */
static bool find_twice(struct piece text, struct piece loader, struct piece *name)
{
    struct piece rest = text, first;
    while (split_first(&rest, &first)) {
        size_t half = rest.length / 2;
        if (rest.length % 2 == 0 || half == 0 || half > NAME_LONGEST ||
            rest.text[half] != ',' || memcmp(rest.text, rest.text + half + 1, half) != 0)
            continue;
        *name = (struct piece){rest.text, half};
        if (is_loader_of(loader, *name))
            return true;
    }
    return false;
}

bool class_row_split(const struct line *line, struct class_row *row)
{
    struct piece rest = {line->text, line->length}, first, text = {"", 0};
    unsigned found = 0;
    *row = (struct class_row){.id = {"", 0}};
    if (!split_first(&rest, &row->id))
        return false;
    struct piece whole = rest;
    while (split_first(&rest, &first)) {
        struct piece after = rest, level;
        if (!skip_level(&after, &level))
            continue;
        text = part_before(whole, rest);
        row->loader = after;
        row->has_events = !piece_is(level, "Failed");
        found++;
    }
    if (found != 1 || !row->has_events)
        return found == 1;
    if (find_twice(text, row->loader, &row->name))
        return true;
    return count_commas(text, 3) == 2 && split_last(&text, &row->name);
}

/* The length of the descriptor of a type that `text` begins with; 0: it begins with none. */
static size_t type_length(struct piece text)
{
    size_t length = 0;
    while (length < text.length && text.text[length] == '[')
        length++;
    if (length == text.length || length > NAME_LONGEST)
        return 0;
    if (text.text[length] != 'L')
        return memchr("BCDFIJSZV", text.text[length], 9) ? length + 1 : 0;
    size_t left = text.length - length;
    const char *end =
        memchr(text.text + length, ';', left < NAME_LONGEST ? left : NAME_LONGEST);
    return end ? (size_t)(end - text.text) + 1 : 0;
}

/* Takes the descriptor of a method off *text; false: it does not begin with one. */
static bool skip_descriptor(struct piece *text)
{
    enum { MOST_PARAMETERS = 255 };
    size_t at = 1, length = 1;
    if (text->length == 0 || text->text[0] != '(')
        return false;
    for (unsigned i = 0; i < MOST_PARAMETERS && length > 0; i++) {
        if (at >= text->length || text->text[at] == ')')
            break;
        length = type_length((struct piece){text->text + at, text->length - at});
        at += length;
    }
    if (length == 0 || at >= text->length || text->text[at] != ')')
        return false;
    at++;
    length = type_length((struct piece){text->text + at, text->length - at});
    *text = (struct piece){text->text + at + length, text->length - at - length};
    return length > 0;
}

/* Whether `text`, which begins after a comma, begins with DESCRIPTOR,ACCESS. */
static bool has_descriptor(struct piece text)
{
    struct piece pieces[3];
    int64_t access;
    return skip_descriptor(&text) && split_piece(text, pieces, 3) > 1 &&
           pieces[0].length == 0 && piece_number(pieces[1], 0, INT32_MAX, &access);
}

bool method_row_split(const struct line *line, struct method_row *row)
{
    struct piece rest = {line->text, line->length}, first;
    unsigned found = 0;
    if (!split_first(&rest, &row->class_id) || !split_first(&rest, &row->id))
        return false;
    struct piece whole = rest;
    while (split_first(&rest, &first)) {
        if (!has_descriptor(rest))
            continue;
        row->names = part_before(whole, rest);
        found++;
    }
    return found == 1;
}

/* Sets *parent and *loader (empty: there is none) to what `text`, which begins after a comma,
 * has after the location of a type; false: it does not begin with that. */
static bool read_numbers(struct piece text, int64_t *parent, struct piece *loader)
{
    struct piece pieces[3] = {{"", 0}};
    int64_t component;
    size_t count = split_piece(text, pieces, 3);
    *loader = count > 2 ? pieces[2] : (struct piece){"", 0};
    return count > 1 && piece_number(pieces[0], -1, INT32_MAX, parent) &&
           piece_number(pieces[1], -1, INT32_MAX, &component);
}

/* Takes the last letter off *text, which may be written in it as in a URL: % and two digits of
 * base 16. */
static unsigned char take_last_letter(struct piece *text)
{
    const char *end = text->text + text->length;
    unsigned high, low;
    static const char digits[] = "0123456789abcdef";
    if (text->length >= 3 && end[-3] == '%' && isxdigit((unsigned char)end[-2]) &&
        isxdigit((unsigned char)end[-1])) {
        high = (unsigned)(strchr(digits, tolower((unsigned char)end[-2])) - digits);
        low = (unsigned)(strchr(digits, tolower((unsigned char)end[-1])) - digits);
        text->length -= 3;
        return (unsigned char)(16 * high + low);
    }
    text->length--;
    return (unsigned char)end[-1];
}

/* Whether the location is that of a class with this name: .../NAME.class, where NAME has
 * slashes. */
static bool is_location_of(struct piece location, struct piece name)
{
    static const char suffix[] = ".class";
    size_t length = sizeof suffix - 1;
    if (name.length > NAME_LONGEST || location.length < length ||
        memcmp(location.text + location.length - length, suffix, length) != 0)
        return false;
    location.length -= length;
    for (size_t i = name.length; i > 0; i--) {
        char letter = name.text[i - 1] == '.' ? '/' : name.text[i - 1];
        if (location.length == 0 || take_last_letter(&location) != (unsigned char)letter)
            return false;
    }
    return location.length > 0 && location.text[location.length - 1] == '/';
}

/* Splits NAME,LOCATION. An array, and a class that was made at run time, have no location. */
static bool split_location(struct piece text, struct piece loader, struct piece *name)
{
    struct piece rest = text;
    size_t length = length_of_type(text, loader);
    *name = (struct piece){text.text, length};
    if (length > 0)
        return true;
    if (count_commas(text, 2) < 2)
        return split_first(&text, name);
    if (text.length > 0 && text.text[text.length - 1] == ',') {
        *name = (struct piece){text.text, text.length - 1};
        return true;
    }
    for (unsigned commas = 0; commas <= MOST_COMMAS && split_first(&rest, name); commas++) {
        *name = part_before(text, rest);
        if (is_location_of(rest, *name))
            return true;
    }
    return false;
}

bool type_row_split(const struct line *line, struct type_row *row)
{
    struct piece rest = {line->text, line->length}, first, loader;
    struct piece text = {"", 0}, found = {"", 0};
    *row = (struct type_row){.parent = -1};
    if (!split_first(&rest, &row->id))
        return false;
    struct piece whole = rest;
    /* The last two numbers are not in a location; those that its own loader follows are not in
     * the name of that loader. */
    while (split_first(&rest, &first)) {
        int64_t parent;
        if (!read_numbers(rest, &parent, &loader))
            continue;
        row->has_parent = true;
        row->parent = parent;
        text = part_before(whole, rest);
        found = loader;
        if (length_of_type(whole, loader) > 0)
            break;
    }
    row->name = whole;
    return !row->has_parent || split_location(text, found, &row->name);
}

/* The columns of dataids.txt are in one of two orders, and newer files begin with a header that
 * names them; the first line shows which it is.
 *
 * Nothing is quoted but the attributes. So the columns before the names are counted from the
 * left, and those after them are where two numbers, an event and a type follow each other. */

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
