/* SPDX-License-Identifier: MIT */
/* Reads classes.txt and methods.txt. The class of a method decides whether a call enters code
 * that writes events. */
#include "formats/selogger/index/classes.h"

#include "formats/selogger/index/csv.h"

#include <string.h>

/* Whether a line with this first field is the header that both files have in newer versions. */
static bool classes_is_header(struct piece first)
{
    return piece_is(first, "ClassID");
}

/* Loads a line ClassID,MethodID,ClassName,MethodName,... */
static enum status load_method(void *context, const struct loading *loading,
                               struct lines *lines, struct line *line, struct failure *why)
{
    struct classes *classes = context;
    struct piece pieces[5];
    int64_t method;
    uint32_t class_symbol;
    size_t count = split_line(line, pieces, 5);
    if (classes_is_header(pieces[0]))
        return STATUS_OK;
    if (count < 4 || !piece_number(pieces[1], 0, INT32_MAX, &method))
        return reject_line(why, lines, line,
                           "This line does not begin with CLASS,METHOD,CLASS-NAME,NAME");
    enum status status = add_type_name(classes->symbols, pieces[2], &class_symbol, why);
    if (status != STATUS_OK)
        return status;
    uint64_t *value = map_insert(&classes->of_method, (uint64_t)method);
    if (!value)
        return fail_memory(why);
    *value = (uint64_t)class_symbol + 1;
    return add_member_name(loading, NAMES_METHOD, (uint64_t)method, classes->symbols,
                           class_symbol, &pieces[3], 1, why);
}

/* Adds the loader of a class, LOADER:CLASS. If the file does not have it, each class counts as
 * one with a loader of its own. */
static enum status add_loader(struct classes *classes, int64_t class_id, struct piece loader,
                              struct piece number, struct failure *why)
{
    const char *colon = loader.length > 0 ? memchr(loader.text, ':', loader.length) : NULL;
    struct piece text = loader.length > 0 ? loader : number;
    if (colon)
        text.length = (size_t)(colon - text.text);
    uint32_t symbol;
    enum status status = symbols_add(classes->symbols, text.text, text.length, &symbol, why);
    if (status != STATUS_OK)
        return status;
    uint64_t *value = map_insert(&classes->loader_of, (uint64_t)class_id);
    if (!value)
        return fail_memory(why);
    *value = (uint64_t)symbol + 1;
    return STATUS_OK;
}

/* Loads a line
 * ClassID,LoadedFrom,FileName,ClassName,LogLevel,ClassHash,ClassLoaderID[,Annotations]. */
static enum status load_class(void *context, const struct loading *loading, struct lines *lines,
                              struct line *line, struct failure *why)
{
    (void)loading;
    struct classes *classes = context;
    struct piece pieces[8];
    uint32_t name;
    int64_t class_id;
    size_t count = split_line(line, pieces, 8);
    if (classes_is_header(pieces[0]))
        return STATUS_OK;
    if (count < 4)
        return reject_line(why, lines, line,
                           "This line does not begin with CLASS,LOCATION,FILE,NAME");
    enum status status = add_type_name(classes->symbols, pieces[3], &name, why);
    if (status != STATUS_OK)
        return status;
    uint64_t *same = map_insert(&classes->woven, name);
    if (!same)
        return fail_memory(why);
    ++*same;
    if (!piece_number(pieces[0], 0, INT32_MAX, &class_id))
        return STATUS_OK;
    struct piece none = {"", 0};
    return add_loader(classes, class_id, count >= 7 ? pieces[6] : none, pieces[0], why);
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
    map_free(&classes->loader_of);
    map_free(&classes->of_method);
    map_free(&classes->woven);
}
