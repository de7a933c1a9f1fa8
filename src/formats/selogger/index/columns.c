/* SPDX-License-Identifier: MIT */
/* The columns are in one of two orders, and newer files begin with a header that names them;
 * the first line shows which it is. Attributes, the last column, are words "key=value" with
 * commas between them. Versions of SELogger have different keys for the same attribute, all of
 * which are recognised here. */
#include "formats/selogger/index/columns.h"

#include <string.h>

enum { MAX_COLUMNS = 16 };

static const struct layout short_layout = {8, {0, 1, 2, -1, -1, 3, 4, 5, 6, 7}};
static const struct layout long_layout = {10, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}};

static bool is_number(struct piece piece)
{
    int64_t value;
    return piece_number(piece, INT64_MIN, INT64_MAX, &value);
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
    return layout->positions[COLUMN_ATTRIBUTES] == layout->count - 1;
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
        columns[column] = layout->positions[column] < 0 ? (struct piece){"", 0}
                                                        : pieces[layout->positions[column]];
    return true;
}

/* The member for the attribute with this key; NULL: it is not read. */
static struct piece *find_attribute(struct attributes *attributes, struct piece key)
{
    const struct {
        const char *key;
        struct piece *piece;
    } keys[] = {
        {"owner", &attributes->owner},          {"name", &attributes->name},
        {"fieldname", &attributes->name},       {"type", &attributes->type},
        {"objecttype", &attributes->element},   {"elementtype", &attributes->element},
        {"desc", &attributes->description},     {"methodtype", &attributes->method_type},
        {"calltype", &attributes->method_type}, {"receiver", &attributes->method_type},
        {"created", &attributes->created},      {"newparent", &attributes->new_parent},
        {"index", &attributes->index},          {"location", &attributes->location},
        {"blocktype", &attributes->block},      {"bootstrap_owner", &attributes->bootstrap},
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (piece_is_word(key, keys[i].key))
            return keys[i].piece;
    return NULL;
}

void attributes_read(struct piece text, struct attributes *attributes)
{
    *attributes = (struct attributes){.owner = {"", 0}};
    if (text.length >= 2 && text.text[0] == '"' && text.text[text.length - 1] == '"')
        text = (struct piece){text.text + 1, text.length - 2};
    const char *at = text.text, *end = at + text.length;
    while (at < end) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        const char *next = comma ? comma : end;
        const char *equals = memchr(at, '=', (size_t)(next - at));
        struct piece key = {at, (size_t)((equals ? equals : next) - at)};
        struct piece *value = find_attribute(attributes, key);
        if (value && equals)
            *value = (struct piece){equals + 1, (size_t)(next - equals - 1)};
        if (!equals && piece_is_word(key, "ExceptionalExit"))
            attributes->location = key;
        at = comma ? comma + 1 : end;
    }
}

static bool is_constructor(const struct attributes *attributes)
{
    return piece_is_word(attributes->method_type, "constructor") ||
           piece_is_word(attributes->method_type, "ReceiverNotInitialized") ||
           piece_is(attributes->name, "<init>");
}

static bool ends_with(struct piece piece, const char *end)
{
    size_t length = strlen(end);
    return piece.length >= length &&
           memcmp(piece.text + piece.length - length, end, length) == 0;
}

static bool begins_with(struct piece piece, const char *begin)
{
    size_t length = strlen(begin);
    return piece.length >= length && memcmp(piece.text, begin, length) == 0;
}

/* Whether a call is to a method by which an exception comes to hold another one. */
static bool keeps_exception(const struct attributes *attributes)
{
    return (piece_is(attributes->name, "addSuppressed") &&
            piece_is(attributes->description, "(Ljava/lang/Throwable;)V")) ||
           (piece_is(attributes->name, "initCause") &&
            piece_is(attributes->description, "(Ljava/lang/Throwable;)Ljava/lang/Throwable;"));
}

uint16_t attributes_flags(enum sel_event_kind event, const struct attributes *attributes)
{
    unsigned flags = 0;
    bool is_exit = piece_is_word(attributes->location, "exceptional-exit") ||
                   piece_is_word(attributes->location, "ExceptionalExit") ||
                   piece_is_word(attributes->block, "ExceptionalExit");
    if (attributes->new_parent.length > 0)
        flags |= CREATED_IS_DATA_ID;
    if ((event == EVENT_ENTRY || event == EVENT_CALL) && is_constructor(attributes))
        flags |= IS_CONSTRUCTOR;
    if (event == EVENT_CATCH && is_exit)
        flags |= IS_EXIT_HANDLER;
    if (ends_with(attributes->bootstrap, "LambdaMetafactory"))
        flags |= MAKES_LAMBDA;
    if (event == EVENT_DYNAMIC_RESULT && begins_with(attributes->description, "()") &&
        !ends_with(attributes->bootstrap, "StringConcatFactory"))
        flags |= MAKES_CONSTANT;
    if (event == EVENT_CALL && keeps_exception(attributes))
        flags |= KEEPS_PARAMETER;
    if (event == EVENT_CALL && piece_is(attributes->name, "start") &&
        piece_is(attributes->description, "()V"))
        flags |= STARTS_THREAD;
    return (uint16_t)flags;
}
