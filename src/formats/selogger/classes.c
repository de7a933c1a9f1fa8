#include "formats/selogger/classes.h"

#include "formats/selogger/csv.h"

/* Both files have a header in newer versions. */
static bool is_header(struct piece first)
{
    return piece_is(first, "ClassID");
}

/* ClassID,MethodID,ClassName,MethodName,... */
static enum status load_method(void *context, const struct loading *loading,
                               const struct lines *lines, const struct line *line,
                               struct failure *why)
{
    struct classes *classes = context;
    struct piece pieces[5];
    int64_t method;
    uint32_t class;
    size_t count = split_line(line, pieces, 5);
    if (is_header(pieces[0]))
        return STATUS_OK;
    if (count < 4 || !piece_number(pieces[1], 0, INT32_MAX, &method))
        return reject_line(why, lines, line,
                           "This line does not begin with CLASS,METHOD,CLASS-NAME,NAME");
    enum status status = add_type_name(classes->symbols, pieces[2], &class, why);
    if (status != STATUS_OK)
        return status;
    uint64_t *value = map_insert(&classes->of_method, (uint64_t)method);
    if (!value)
        return fail_memory(why);
    *value = (uint64_t) class + 1;
    const struct piece parts[] = {
        piece_of_symbol(classes->symbols, class), {"#", 1}, pieces[3]};
    return add_name_of_parts(loading, NAMES_METHOD, (uint64_t)method, parts, 3, why);
}

/* ClassID,LoadedFrom,FileName,ClassName,LogLevel,ClassHash,ClassLoaderID[,Annotations] */
static enum status load_class(void *context, const struct loading *loading,
                              const struct lines *lines, const struct line *line,
                              struct failure *why)
{
    (void)loading;
    struct classes *classes = context;
    struct piece pieces[5];
    uint32_t name;
    size_t count = split_line(line, pieces, 5);
    if (is_header(pieces[0]))
        return STATUS_OK;
    if (count < 4)
        return reject_line(why, lines, line,
                           "This line does not begin with CLASS,LOCATION,FILE,NAME");
    enum status status = add_type_name(classes->symbols, pieces[3], &name, why);
    if (status == STATUS_OK && !map_insert(&classes->woven, name))
        status = fail_memory(why);
    return status;
}

enum status classes_load(struct classes *classes, const struct loading *loading,
                         struct failure *why)
{
    bool has_methods;
    enum status status =
        load_beside(loading, "classes.txt", load_class, classes, &classes->has_list, why);
    if (status == STATUS_OK)
        status = load_beside(loading, "methods.txt", load_method, classes, &has_methods, why);
    return status;
}

uint32_t classes_of_method(const struct classes *classes, uint32_t method)
{
    const uint64_t *class = map_find(&classes->of_method, method);
    return class ? (uint32_t)(*class - 1) : NO_SYMBOL;
}

bool classes_are_woven(const struct classes *classes, uint32_t name)
{
    return map_find(&classes->woven, name) != NULL;
}

void classes_free(struct classes *classes)
{
    map_free(&classes->of_method);
    map_free(&classes->woven);
}
