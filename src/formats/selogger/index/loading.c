/* SPDX-License-Identifier: MIT */
/* A side file is read line by line, by a function for its kind. A last line without a line end
 * is what remains when a program is killed: it is left out, with a remark. */
#include "formats/selogger/index/loading.h"

#include "base/memory.h"
#include "formats/selogger/files.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
static enum status load_line(const struct loading *loading, struct lines *lines,
                             const struct line_loader *loader, void *context, bool is_named,
                             bool *more, struct failure *why)
{
    struct line line;
    enum status status = loader->takes_cut_lines ? lines_begin(lines, &line, why)
                                                 : lines_next(lines, &line, why);
    *more = status == STATUS_OK;
    if (status != STATUS_OK)
        return status == STATUS_END ? STATUS_OK : status;
    bool is_whole = line.has_end || is_named;
    if (is_whole || line.is_cut)
        status = loader->load(context, loading, lines, &line, why);
    return status == STATUS_OK && !is_whole && !line.is_cut
               ? note_cut_line(loading, lines_name(lines), why)
               : status;
}

enum status load_lines(const struct loading *loading, const char *path,
                       const struct line_loader *loader, void *context, struct failure *why)
{
    struct lines *lines;
    bool more = true;
    bool is_named = path == loading->type_sizes;
    enum status status = is_named ? lines_open(&lines, path, loading->interrupt, why)
                                  : lines_open_found(&lines, path, loading->interrupt, why);
    if (status != STATUS_OK)
        return status;
    while (more && status == STATUS_OK)
        status = load_line(loading, lines, loader, context, is_named, &more, why);
    lines_close(lines);
    return status;
}

enum status load_next_to(const struct loading *loading, const char *name,
                         const struct line_loader *loader, void *context, bool *found,
                         struct failure *why)
{
    char *path = file_next_to(loading->index, name);
    if (!path)
        return fail_memory(why);
    enum status status = STATUS_OK;
    *found = access(path, F_OK) == 0 || errno != ENOENT; /* opening it shows what is wrong */
    if (*found)
        status = load_lines(loading, path, loader, context, why);
    free(path);
    return status;
}

enum status load_numbered(const struct loading *loading, const char *prefix,
                          const struct line_loader *loader, void *context, bool *found,
                          struct failure *why)
{
    struct parts parts = {.paths = NULL};
    enum status status = parts_find(&parts, loading->index, prefix, ".txt", why);
    *found = parts.count > 0;
    for (size_t i = 0; i < parts.count && status == STATUS_OK; i++)
        status = load_lines(loading, parts.paths[i], loader, context, why);
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
static void find_lost(const struct loading *loading, struct piece name)
{
    struct lost_name *lost = loading->lost;
    if (lost->is_found || !is_lost(name))
        return;
    lost->is_found = true;
    text_quote(lost->shown, name.text, name.length);
}

enum status loading_note_lost(const struct loading *loading, struct failure *why)
{
    if (!loading->lost->is_found)
        return STATUS_OK;
    return remark_list_add(
        loading->remarks, why,
        "Letters of names are lost: %s has a '?' in place of each. Different members may have "
        "the same name then, so each instruction gets a field of its own for such a name, and "
        "objects may die too late. Record with java -Dfile.encoding=UTF-8",
        loading->lost->shown);
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

enum status loading_add_name(const struct loading *loading, enum name_space space, uint64_t id,
                             struct piece text, struct failure *why)
{
    size_t length;
    find_lost(loading, text);
    char *name = join_parts(&text, 1, &length);
    enum status status =
        name ? names_add(loading->names, space, id, name, length, why) : fail_memory(why);
    free(name);
    return status;
}

enum status add_member_name(const struct loading *loading, enum name_space space, uint64_t id,
                            const struct symbols *symbols, uint32_t owner,
                            const struct piece *parts, size_t count, struct failure *why)
{
    enum status status = STATUS_OK;
    size_t length;
    find_lost(loading, parts[0]);
    if (!names_find_parts(loading->names, NAMES_OWNER, owner).own)
        status =
            loading_add_name(loading, NAMES_OWNER, owner, piece_of_symbol(symbols, owner), why);
    if (status != STATUS_OK)
        return status;
    char *name = join_parts(parts, count, &length);
    status = name ? names_add_member(loading->names, space, id, NAMES_OWNER, owner, name,
                                     length, why)
                  : fail_memory(why);
    free(name);
    return status;
}
