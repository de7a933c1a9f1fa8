/* SPDX-License-Identifier: MIT */
/* What all loaders of side files need, in this order: the files that a log or a side file is
 * divided into, the pieces of a line and the spellings of a type, remarks, the reading of a
 * file line by line, and names.
 *
 * Files are sorted by number, not by name: their numbers have five digits, or more when five
 * are not enough. A last line without a line end is what remains when a program is killed: it
 * is left out, with a remark. */
#include "formats/selogger/catalogue.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "io/path.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { FILE_DIGITS = 5 };

const char *file_name(const char *path)
{
    return path + path_folder_length(path);
}

char *file_next_to(const char *sibling, const char *name)
{
    char *path = NULL;
    int folder = (int)path_folder_length(sibling);
    return asprintf(&path, "%.*s%s", folder, sibling, name) < 0 ? NULL : path;
}

/* Whether `name` is that of a numbered file. Sets *number to its number. */
static bool read_number(const char *name, const char *prefix, const char *suffix,
                        uint64_t *number)
{
    size_t length = strlen(name), before = strlen(prefix), after = strlen(suffix);
    if (length < before + FILE_DIGITS + after || strncmp(name, prefix, before) != 0 ||
        strcmp(name + length - after, suffix) != 0)
        return false;
    size_t digits = length - before - after;
    return (digits == FILE_DIGITS || name[before] != '0') &&
           number_parse(name + before, digits, number) == NUMBER_OK;
}

struct numbers {
    uint64_t *items;
    size_t count;
    size_t capacity;
};

static enum status read_folder(struct numbers *numbers, DIR *folder, const char *path,
                               const char *prefix, const char *suffix, struct failure *why)
{
    const struct dirent *entry;
    for (errno = 0; (entry = readdir(folder)); errno = 0) {
        uint64_t number;
        if (!read_number(entry->d_name, prefix, suffix, &number))
            continue;
        if (!ARRAY_RESERVE(numbers->items, numbers->capacity, numbers->count + 1))
            return fail_memory(why);
        numbers->items[numbers->count++] = number;
    }
    return errno == 0 ? STATUS_OK : fail_errno(why, path, "read", errno);
}

static enum status list_numbers(struct numbers *numbers, const char *sibling,
                                const char *prefix, const char *suffix, struct failure *why)
{
    char *path = file_next_to(sibling, ".");
    if (!path)
        return fail_memory(why);
    DIR *folder = opendir(path);
    enum status status = folder ? read_folder(numbers, folder, path, prefix, suffix, why)
                                : fail_errno(why, path, "read", errno);
    if (folder)
        closedir(folder);
    free(path);
    return status;
}

/* Adds the file with this number, which must be the next. */
static enum status add_part(struct parts *parts, const char *sibling, const char *prefix,
                            const char *suffix, uint64_t number, struct failure *why)
{
    char *name = NULL;
    uint64_t next = (uint64_t)parts->count + 1;
    if (asprintf(&name, "%s%05" PRIu64 "%s", prefix, next, suffix) < 0)
        return fail_memory(why);
    char *path = file_next_to(sibling, name);
    free(name);
    if (!path)
        return fail_memory(why);
    parts->paths[parts->count++] = path;
    return number == next
               ? STATUS_OK
               : fail_at(why, STATUS_MEANING, path, 0,
                         "This file of the trace is missing, though a later one is there");
}

enum status parts_find(struct parts *parts, const char *sibling, const char *prefix,
                       const char *suffix, struct failure *why)
{
    struct numbers numbers = {.items = NULL};
    enum status status = list_numbers(&numbers, sibling, prefix, suffix, why);
    if (status == STATUS_OK && numbers.count > 0) {
        qsort(numbers.items, numbers.count, sizeof *numbers.items, number_compare);
        parts->paths = array_new(numbers.count, sizeof *parts->paths);
        if (!parts->paths)
            status = fail_memory(why);
    }
    for (size_t i = 0; i < numbers.count && status == STATUS_OK; i++)
        status = add_part(parts, sibling, prefix, suffix, numbers.items[i], why);
    free(numbers.items);
    return status;
}

void parts_free(struct parts *parts)
{
    for (size_t i = 0; i < parts->count; i++)
        free(parts->paths[i]);
    free(parts->paths);
    *parts = (struct parts){.paths = NULL};
}

/* SELogger does not quote commas, even in the last field, so a line is split into as many
 * fields as are wanted, and the rest is one piece. Names of types are descriptors or spelled as
 * in source text; here they all get one spelling. */

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

/* Remarks whose text is made at run time are kept until the command line shows them: readers do
 * not print, and most remarks are complete only at the end. */

enum status remark_list_add(struct remark_list *list, struct failure *why, const char *format,
                            ...)
{
    if (!ARRAY_RESERVE(list->remarks, list->capacity, list->count + 1))
        return fail_memory(why);
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length < 0)
        return fail_memory(why);
    list->remarks[list->count++] = (struct remark){.text = text, .count = 1, .once = true};
    return STATUS_OK;
}

void remark_list_free(struct remark_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free((char *)(uintptr_t)list->remarks[i].text);
    free(list->remarks);
    *list = (struct remark_list){.remarks = NULL};
}

static enum status note_cut_line(const struct loading *loading, const char *path,
                                 struct failure *why)
{
    return remark_list_add(loading->remarks, why,
                           "The last line of %s has no end and is left out: the trace was cut "
                           "off",
                           file_name(path));
}

/* Loads the next line; `is_named`: of a file of the user's, whose last line may lack a line
 * end. Sets *more to whether there was one. */
static enum status load_line(struct catalogue *catalogue, struct lines *lines,
                             line_loader *load, bool takes_cut_lines, bool is_named, bool *more,
                             struct failure *why)
{
    struct line line;
    enum status status =
        takes_cut_lines ? lines_begin(lines, &line, why) : lines_next(lines, &line, why);
    *more = status == STATUS_OK;
    if (status != STATUS_OK)
        return status == STATUS_END ? STATUS_OK : status;
    if (line.has_end || is_named || line.is_cut)
        return load(catalogue, lines, &line, why);
    return note_cut_line(&catalogue->loading, lines_name(lines), why);
}

enum status load_lines(struct catalogue *catalogue, const char *path, line_loader *load,
                       bool takes_cut_lines, struct failure *why)
{
    const struct loading *loading = &catalogue->loading;
    struct lines *lines;
    bool more = true;
    bool is_named = path == loading->type_sizes;
    const struct source_options how = {.interrupt = loading->interrupt, .is_found = !is_named};
    enum status status = STATUS_OK;
    TRY(lines_open(&lines, path, &how, why));
    while (more && status == STATUS_OK)
        status = load_line(catalogue, lines, load, takes_cut_lines, is_named, &more, why);
    lines_close(lines);
    return status;
}

enum status load_next_to(struct catalogue *catalogue, const char *name, line_loader *load,
                         bool *found, struct failure *why)
{
    char *path = file_next_to(catalogue->loading.index, name);
    if (!path)
        return fail_memory(why);
    enum status status = STATUS_OK;
    *found = access(path, F_OK) == 0 || errno != ENOENT; /* opening it shows what is wrong */
    if (*found)
        status = load_lines(catalogue, path, load, false, why);
    free(path);
    return status;
}

enum status load_numbered(struct catalogue *catalogue, const char *prefix, line_loader *load,
                          bool takes_cut_lines, bool *found, struct failure *why)
{
    struct parts parts = {.paths = NULL};
    enum status status = parts_find(&parts, catalogue->loading.index, prefix, ".txt", why);
    *found = parts.count > 0;
    for (size_t i = 0; i < parts.count && status == STATUS_OK; i++)
        status = load_lines(catalogue, parts.paths[i], load, takes_cut_lines, why);
    parts_free(&parts);
    return status;
}

static bool is_control(char byte)
{
    return (unsigned char)byte < ' ' || byte == '\177';
}

bool is_lost(struct piece name)
{
    return name.length > 0 && memchr(name.text, '?', name.length) != NULL;
}

/* Keeps the name if it is the first one that has lost letters. */
static void find_lost(struct lost_name *lost, struct piece name)
{
    if (lost->is_found || !is_lost(name))
        return;
    lost->is_found = true;
    text_quote(lost->shown, name.text, name.length);
}

enum status loading_note_lost(const struct loading *loading, struct failure *why)
{
    if (!loading->lost.is_found)
        return STATUS_OK;
    return remark_list_add(
        loading->remarks, why,
        "Letters of names are lost: %s has a '?' in place of each. Different members may have "
        "the same name then, so each instruction gets a field of its own for such a name, and "
        "objects may die too late. Record with java -Dfile.encoding=UTF-8",
        loading->lost.shown);
}

/* Joins the parts to a name that a table can show, which the caller owns (free). NULL: no
 * memory. */
static char *join_parts(const struct piece *parts, size_t count, size_t *length)
{
    size_t filled = 0;
    *length = 0;
    for (size_t i = 0; i < count; i++)
        *length += parts[i].length;
    char *name = malloc(*length + 1);
    for (size_t i = 0; name && i < count; i++)
        for (size_t j = 0; j < parts[i].length; j++)
            name[filled++] = is_control(parts[i].text[j]) ? '?' : parts[i].text[j];
    return name;
}

enum status loading_add_name(struct loading *loading, enum name_space space, uint64_t id,
                             struct piece text, struct failure *why)
{
    size_t length;
    find_lost(&loading->lost, text);
    char *name = join_parts(&text, 1, &length);
    enum status status =
        name ? names_add(loading->names, space, id, name, length, why) : fail_memory(why);
    free(name);
    return status;
}

enum status add_member_name(struct catalogue *catalogue, enum name_space space, uint64_t id,
                            uint32_t owner, const struct piece *parts, size_t count,
                            struct failure *why)
{
    struct loading *loading = &catalogue->loading;
    size_t length;
    find_lost(&loading->lost, parts[0]);
    if (!names_find_parts(loading->names, NAMES_OWNER, owner).own)
        TRY(loading_add_name(loading, NAMES_OWNER, owner,
                             piece_of_symbol(&catalogue->symbols, owner), why));
    char *name = join_parts(parts, count, &length);
    enum status status = name ? names_add_member(loading->names, space, id, NAMES_OWNER, owner,
                                                 name, length, why)
                              : fail_memory(why);
    free(name);
    return status;
}
