/* SPDX-License-Identifier: MIT */
/* Finds the files of a log in a folder. Their numbers have five digits, or more when five are
 * not enough, so files are sorted by number, not by name. */
#include "formats/selogger/files.h"

#include "base/memory.h"
#include "base/number.h"
#include "io/path.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    if (number != next) {
        enum status status =
            fail_at(why, STATUS_MEANING, path, 0,
                    "This file of the trace is missing, though a later one is there");
        free(path);
        return status;
    }
    parts->paths[parts->count++] = path;
    return STATUS_OK;
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
