/* SPDX-License-Identifier: MIT */
/* Reads classes.txt and methods.txt. The class of a method decides whether a call enters code
 * that writes events. */
#include "formats/selogger/index/classes.h"

#include "formats/selogger/index/csv.h"
#include "formats/selogger/index/rows.h"

#include <string.h>

/* Whether the line is the header that both files have in newer versions. */
static bool is_header(const struct line *line)
{
    struct piece pieces[2];
    split_line(line, pieces, 2);
    return piece_is(pieces[0], "ClassID");
}

struct piece classes_name(const struct classes *classes, struct piece class_id)
{
    int64_t number;
    const uint64_t *name = piece_number(class_id, 0, INT32_MAX, &number)
                               ? map_find(&classes->name_of, (uint64_t)number)
                               : NULL;
    return name ? piece_of_symbol(classes->symbols, (uint32_t)(*name - 1))
                : (struct piece){"", 0};
}

/* Sets the value of `key` in the map to that of a symbol. */
static enum status map_symbol(struct map *map, uint64_t key, uint32_t symbol,
                              struct failure *why)
{
    uint64_t *value = map_insert(map, key);
    if (!value)
        return fail_memory(why);
    *value = (uint64_t)symbol + 1;
    return STATUS_OK;
}

/* Adds a method: the class that it belongs to, and its name. */
static enum status add_method(struct classes *classes, const struct loading *loading,
                              uint64_t method, struct piece class_name, struct piece name,
                              struct failure *why)
{
    uint32_t class_symbol;
    enum status status = add_type_name(classes->symbols, class_name, &class_symbol, why);
    if (status == STATUS_OK)
        status = map_symbol(&classes->of_method, method, class_symbol, why);
    return status == STATUS_OK ? add_member_name(loading, NAMES_METHOD, method,
                                                 classes->symbols, class_symbol, &name, 1, why)
                               : status;
}

static enum status load_method(void *context, const struct loading *loading,
                               struct lines *lines, struct line *line, struct failure *why)
{
    struct classes *classes = context;
    struct method_row row;
    struct piece class_name, name;
    int64_t method;
    if (is_header(line))
        return STATUS_OK;
    if (!method_row_split(line, &row) || !piece_number(row.id, 0, INT32_MAX, &method))
        return reject_line(why, lines, line,
                           "This line is not CLASS,METHOD,CLASS-NAME,NAME,DESCRIPTOR,ACCESS");
    if (!split_member(row.names, classes_name(classes, row.class_id), &class_name, &name))
        return reject_line(why, lines, line, UNKNOWN_END_OF_CLASS);
    return add_method(classes, loading, (uint64_t)method, class_name, name, why);
}

/* Adds the loader of a class, LOADER:CLASS. If the file does not have it, each class counts as
 * one with a loader of its own. */
static enum status add_loader(struct classes *classes, int64_t class_id,
                              const struct class_row *row, struct failure *why)
{
    struct piece text = row->loader.length > 0 ? row->loader : row->id;
    size_t length = 0;
    while (length < text.length && text.text[length] != ':' && text.text[length] != ',')
        length++;
    uint32_t symbol;
    enum status status = symbols_add(classes->symbols, text.text, length, &symbol, why);
    return status == STATUS_OK
               ? map_symbol(&classes->loader_of, (uint64_t)class_id, symbol, why)
               : status;
}

static enum status load_class(void *context, const struct loading *loading, struct lines *lines,
                              struct line *line, struct failure *why)
{
    (void)loading;
    struct classes *classes = context;
    struct class_row row;
    uint32_t name;
    int64_t class_id;
    if (is_header(line))
        return STATUS_OK;
    if (!class_row_split(line, &row) || !piece_number(row.id, 0, INT32_MAX, &class_id))
        return reject_line(why, lines, line,
                           "This line is not CLASS,LOCATION,FILE,NAME,LEVEL,HASH");
    enum status status = add_type_name(classes->symbols, row.name, &name, why);
    if (status == STATUS_OK)
        status = map_symbol(&classes->name_of, (uint64_t)class_id, name, why);
    if (status != STATUS_OK)
        return status;
    uint64_t *same = map_insert(&classes->woven, name);
    if (!same)
        return fail_memory(why);
    ++*same;
    return add_loader(classes, class_id, &row, why);
}

static const struct line_loader class_loader = {load_class, false};
static const struct line_loader method_loader = {load_method, false};

enum status classes_load(struct classes *classes, const struct loading *loading,
                         struct failure *why)
{
    bool has_methods;
    enum status status =
        load_next_to(loading, "classes.txt", &class_loader, classes, &classes->has_list, why);
    if (status == STATUS_OK)
        status =
            load_next_to(loading, "methods.txt", &method_loader, classes, &has_methods, why);
    return status;
}

uint32_t classes_of_method(const struct classes *classes, uint32_t method)
{
    const uint64_t *class_symbol = map_find(&classes->of_method, method);
    return class_symbol ? (uint32_t)(*class_symbol - 1) : NO_SYMBOL;
}

bool classes_are_woven(const struct classes *classes, uint32_t name)
{
    return map_find(&classes->woven, name) != NULL;
}

uint32_t classes_loader(const struct classes *classes, uint32_t name, int64_t class_id)
{
    const uint64_t *same = map_find(&classes->woven, name);
    const uint64_t *loader =
        class_id < 0 ? NULL : map_find(&classes->loader_of, (uint64_t)class_id);
    return same && *same > 1 && loader ? (uint32_t)(*loader - 1) : NO_SYMBOL;
}

void classes_free(struct classes *classes)
{
    map_free(&classes->name_of);
    map_free(&classes->loader_of);
    map_free(&classes->of_method);
    map_free(&classes->woven);
}
