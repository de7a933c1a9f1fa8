/* SPDX-License-Identifier: MIT */
/* SELogger does not quote commas, even in the last field, so a line is split into as many
 * fields as are wanted, and the rest is one piece. Names of types are descriptors or spelled as
 * in source text; here they all get one spelling. */
#include "formats/selogger/index/csv.h"

#include "base/text.h"
#include "io/path.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

size_t split_piece(struct piece piece, struct piece *pieces, size_t limit)
{
    size_t count = 0;
    while (count + 1 < limit && split_first(&piece, &pieces[count]))
        count++;
    pieces[count++] = piece;
    return count;
}

size_t split_line(const struct line *line, struct piece *pieces, size_t limit)
{
    return split_piece((struct piece){line->text, line->length}, pieces, limit);
}

bool split_first(struct piece *rest, struct piece *first)
{
    const char *comma = rest->length > 0 ? memchr(rest->text, ',', rest->length) : NULL;
    if (!comma)
        return false;
    size_t before = (size_t)(comma - rest->text);
    *first = (struct piece){rest->text, before};
    *rest = (struct piece){comma + 1, rest->length - before - 1};
    return true;
}

bool split_last(struct piece *rest, struct piece *last)
{
    const char *comma = rest->length > 0 ? memrchr(rest->text, ',', rest->length) : NULL;
    if (!comma)
        return false;
    size_t before = (size_t)(comma - rest->text);
    *last = (struct piece){comma + 1, rest->length - before - 1};
    rest->length = before;
    return true;
}

struct piece piece_of_symbol(const struct symbols *symbols, uint32_t symbol)
{
    struct piece piece;
    piece.text = symbols_text(symbols, symbol, &piece.length);
    return piece;
}

bool piece_is(struct piece piece, const char *word)
{
    return strlen(word) == piece.length && memcmp(piece.text, word, piece.length) == 0;
}

bool piece_is_word(struct piece piece, const char *word)
{
    return strlen(word) == piece.length && strncasecmp(piece.text, word, piece.length) == 0;
}

bool piece_number(struct piece piece, int64_t least, int64_t most, int64_t *value)
{
    bool is_negative = piece.length > 0 && piece.text[0] == '-';
    size_t i = is_negative;
    int64_t sum = 0;
    if (piece.length == i)
        return false;
    for (; i < piece.length; i++) {
        int digit = (unsigned char)piece.text[i] - '0';
        if (digit < 0 || digit > 9 || __builtin_mul_overflow(sum, (int64_t)10, &sum) ||
            __builtin_sub_overflow(sum, (int64_t)digit, &sum))
            return false;
    }
    if (!is_negative && __builtin_sub_overflow((int64_t)0, sum, &sum))
        return false;
    *value = sum;
    return sum >= least && sum <= most;
}

bool piece_is_number(struct piece piece)
{
    int64_t value;
    return piece_number(piece, INT64_MIN, INT64_MAX, &value);
}

/* The name of the primitive type with this letter in descriptors; NULL: there is none. */
static const char *primitive_name(char letter)
{
    static const char letters[] = "ZBCSIJFD";
    static const char *const names[] = {"boolean", "byte", "char",  "short",
                                        "int",     "long", "float", "double"};
    const char *found = letter ? strchr(letters, letter) : NULL;
    return found ? names[found - letters] : NULL;
}

/* Takes the brackets and other marks of a descriptor off *piece; returns the number of
 * dimensions. A piece that is no descriptor stays as it is. */
static size_t strip_descriptor(struct piece *piece)
{
    size_t dimensions = 0;
    while (dimensions < piece->length && piece->text[dimensions] == '[')
        dimensions++;
    struct piece element = {piece->text + dimensions, piece->length - dimensions};
    const char *primitive =
        dimensions > 0 && element.length == 1 ? primitive_name(element.text[0]) : NULL;
    if (primitive)
        element = (struct piece){primitive, strlen(primitive)};
    else if (element.length > 2 && element.text[0] == 'L' &&
             element.text[element.length - 1] == ';')
        element = (struct piece){element.text + 1, element.length - 2};
    *piece = element;
    return dimensions;
}

enum status add_type_name(struct symbols *symbols, struct piece piece, uint32_t *name,
                          struct failure *why)
{
    size_t dimensions = strip_descriptor(&piece);
    char *text = malloc(piece.length + 2 * dimensions + 1);
    if (!text)
        return fail_memory(why);
    for (size_t i = 0; i < piece.length; i++)
        text[i] = piece.text[i] == '/' ? '.' : piece.text[i];
    for (size_t i = 0; i < dimensions; i++)
        memcpy(text + piece.length + 2 * i, "[]", 2);
    enum status status = symbols_add(symbols, text, piece.length + 2 * dimensions, name, why);
    free(text);
    return status;
}

static bool is_separator(char letter)
{
    return letter == '/' || letter == '.';
}

/* Whether the texts are the same, except that one may have `/` where the other has `.`. */
static bool has_same_letters(const char *left, const char *right, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (left[i] != right[i] && !(is_separator(left[i]) && is_separator(right[i])))
            return false;
    return true;
}

size_t piece_begins_with_type(struct piece text, struct piece other)
{
    size_t dimensions = strip_descriptor(&other), length = other.length + 2 * dimensions;
    if (length == 0 || length >= text.length || text.text[length] != ',' ||
        !has_same_letters(text.text, other.text, other.length))
        return 0;
    for (size_t i = other.length; i < length; i += 2)
        if (memcmp(text.text + i, "[]", 2) != 0)
            return 0;
    return length;
}

bool split_member(struct piece names, struct piece class_name, struct piece *class_part,
                  struct piece *method_part)
{
    struct piece next;
    *method_part = names;
    if (!split_first(method_part, class_part))
        return false;
    struct piece rest = *method_part;
    if (!split_first(&rest, &next))
        return true;
    size_t length = piece_begins_with_type(names, class_name);
    *class_part = (struct piece){names.text, length};
    *method_part = (struct piece){names.text + length + 1, names.length - length - 1};
    return length > 0;
}

enum status reject_line(struct failure *why, const struct lines *lines, const struct line *line,
                        const char *what)
{
    char shown[TEXT_QUOTE_SIZE];
    const char *file = lines_name(lines);
    if (path_is_link(file))
        return fail_at(why, STATUS_SYNTAX, file, line->number, "%s", what);
    return fail_at(why, STATUS_SYNTAX, file, line->number, "%s: %s", what,
                   text_quote(shown, line->text, line->length));
}
