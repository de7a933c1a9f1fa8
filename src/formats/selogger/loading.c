#include "formats/selogger/loading.h"

#include "formats/selogger/files.h"

#include <stdlib.h>
#include <unistd.h>

enum status load_lines(const struct loading *loading, const char *path, line_loader load,
                       void *context, struct failure *why)
{
    struct lines *lines;
    struct line line;
    enum status status = lines_open(&lines, path, loading->interrupt, why);
    if (status != STATUS_OK)
        return status;
    while ((status = lines_next(lines, &line, why)) == STATUS_OK) {
        if (!line.has_end) {
            status = remark_list_add(
                loading->notes, why,
                "The last line of %s has no end and is left out: the trace was cut off",
                file_name(path));
            break;
        }
        status = load(context, loading, lines, &line, why);
        if (status != STATUS_OK)
            break;
    }
    lines_close(lines);
    return status == STATUS_END ? STATUS_OK : status;
}

enum status load_beside(const struct loading *loading, const char *name, line_loader load,
                        void *context, bool *found, struct failure *why)
{
    char *path = file_beside(loading->index, name);
    if (!path)
        return fail_memory(why);
    enum status status = STATUS_OK;
    *found = access(path, F_OK) == 0;
    if (*found)
        status = load_lines(loading, path, load, context, why);
    free(path);
    return status;
}

enum status load_numbered(const struct loading *loading, const char *prefix, line_loader load,
                          void *context, bool *found, struct failure *why)
{
    struct parts parts = {.paths = NULL};
    enum status status = parts_find(&parts, loading->index, prefix, ".txt", why);
    *found = parts.count > 0;
    for (size_t i = 0; i < parts.count && status == STATUS_OK; i++)
        status = load_lines(loading, parts.paths[i], load, context, why);
    parts_free(&parts);
    return status;
}

static bool is_control(char byte)
{
    return (unsigned char)byte < ' ' || byte == '\177';
}

enum status add_name_of_parts(const struct loading *loading, enum name_space space, uint64_t id,
                              const struct piece *parts, size_t count, struct failure *why)
{
    size_t length = 0, filled = 0;
    for (size_t i = 0; i < count; i++)
        length += parts[i].length;
    char *name = malloc(length + 1);
    if (!name)
        return fail_memory(why);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < parts[i].length; j++)
            name[filled++] = is_control(parts[i].text[j]) ? '?' : parts[i].text[j];
    enum status status = names_add(loading->names, space, id, name, length, why);
    free(name);
    return status;
}
