/* SPDX-License-Identifier: MIT */
/* Lists have the same names in each folder. So it is the folder that shows which trace they
 * belong to: by its name, or by the id in its lists. */
#include "formats/list_search.h"

#include "base/memory.h"
#include "io/lines.h"
#include "io/path.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The end of the name of a folder that has the lists of one trace. */
static const char names_suffix[] = ".names";

enum { NAMES_OF_LIST = 3 };

/* The names of lists in a folder: that of the format's description first, then those that
 * tracers use. */
static const struct {
    enum name_space space;
    const char *names[NAMES_OF_LIST]; /* up to a NULL */
    const char *prefix;               /* how the name of a file that is given must begin */
} list_names[] = {
    {NAMES_TYPE, {"class_list", "classs.list", "class.list"}, "class"},
    {NAMES_METHOD, {"method_list", "methods.list", NULL}, "method"},
    {NAMES_FIELD, {"field_list", "fields.list", NULL}, "field"},
    {NAMES_SITE, {"site_list", NULL, NULL}, "site"},
};

enum { LIST_KINDS = sizeof list_names / sizeof *list_names };

void found_lists_free(struct found_lists *found)
{
    for (size_t i = 0; i < found->count; i++)
        free(found->lists[i].path);
    free(found->lists);
    failure_clear(&found->denied);
}

/* Adds a list at `path`, which *found owns afterwards. STATUS_MEMORY also if `path` is NULL. */
static enum status add_found(struct found_lists *found, enum name_space space, char *path,
                             struct failure *why)
{
    if (!path || !ARRAY_RESERVE(found->lists, found->capacity, found->count + 1)) {
        free(path);
        return fail_memory(why);
    }
    found->lists[found->count++] = (struct found_list){.space = space, .path = path};
    return STATUS_OK;
}

/* The path of `name` in the folder named by the first `length` bytes of `folder`; NULL: no
 * memory. The caller owns it (free). */
static char *join(const char *folder, size_t length, const char *name)
{
    char *path = NULL;
    const char *slash = length > 0 && folder[length - 1] != '/' ? "/" : "";
    return asprintf(&path, "%.*s%s%s", (int)length, folder, slash, name) < 0 ? NULL : path;
}

/* Whether there is a file. If the folder, of which `length` bytes are the name, may not be
 * searched, this is recorded, once. */
static bool exists(const char *path, const char *folder, size_t length, struct failure *denied)
{
    struct stat about;
    if (stat(path, &about) == 0)
        return true;
    if (errno == EACCES && denied->status == STATUS_OK) {
        char *name = strndup(length > 0 ? folder : ".", length > 0 ? length : 1);
        fail_errno(denied, name ? name : path, "search", EACCES);
        free(name);
    }
    return false;
}

/* Adds the list of one kind in a folder: the one with the first of its names that is there. */
static enum status find_kind(struct found_lists *found, size_t kind, const char *folder,
                             size_t length, struct failure *why)
{
    const char *const *names = list_names[kind].names;
    for (size_t i = 0; i < NAMES_OF_LIST && names[i]; i++) {
        char *path = join(folder, length, names[i]);
        if (!path || exists(path, folder, length, &found->denied))
            return add_found(found, list_names[kind].space, path, why);
        free(path);
    }
    return STATUS_OK;
}

static enum status find_in_folder(struct found_lists *found, const char *folder, size_t length,
                                  struct failure *why)
{
    for (size_t kind = 0; kind < LIST_KINDS; kind++)
        TRY(find_kind(found, kind, folder, length, why));
    return STATUS_OK;
}

static enum status find_file(struct found_lists *found, const char *path, struct failure *why)
{
    const char *name = path + path_folder_length(path);
    for (size_t kind = 0; kind < LIST_KINDS; kind++)
        if (strncmp(name, list_names[kind].prefix, strlen(list_names[kind].prefix)) == 0) {
            TRY(add_found(found, list_names[kind].space, strdup(path), why));
            found->lists[found->count - 1].is_named = true;
            return STATUS_OK;
        }
    return fail_at(why, STATUS_MEANING, path, 0,
                   "The name of a list must begin with class, method, field or site");
}

/* Adds the lists in `path`, a folder, or the list that it is. */
static enum status find_at(struct found_lists *found, const char *path, struct failure *why)
{
    struct stat about;
    size_t before = found->count;
    if (stat(path, &about) != 0)
        return fail_errno(why, path, "open", errno);
    if (!S_ISDIR(about.st_mode))
        return find_file(found, path, why);
    TRY(find_in_folder(found, path, strlen(path), why));
    if (found->count == before && found->denied.status != STATUS_OK)
        return failure_move(why, &found->denied);
    if (found->count == before)
        return fail_at(
            why, STATUS_MEANING, path, 0,
            "There is no name list in this folder: no class_list, method_list, "
            "field_list, site_list, classs.list, class.list, methods.list or fields.list");
    return STATUS_OK;
}

/* Adds the lists at all paths, which are separated by commas. */
static enum status find_all(struct found_lists *found, const char *paths, struct failure *why)
{
    enum status status = STATUS_OK;
    for (bool more = true; more && status == STATUS_OK;) {
        size_t length = strcspn(paths, ",");
        char *path = strndup(paths, length);
        status = path ? find_at(found, path, why) : fail_memory(why);
        free(path);
        more = paths[length] == ',';
        paths += length + 1;
    }
    return status;
}

static bool has_suffix(const char *name, const char *suffix)
{
    size_t length = strlen(name), end = strlen(suffix);
    return length > end && strcmp(name + length - end, suffix) == 0;
}

/* How files are opened that the user has not named. */
static const struct source_options how_found = {.spool = SPOOL_ONCE, .is_found = true};

/* Whether the first line of a list has the id of the trace. A list that cannot be read belongs
 * to another trace as far as this search is concerned. */
static bool has_id(const char *path, const struct trace_mark *mark)
{
    struct failure not_reported = {.status = STATUS_OK};
    struct lines *lines = NULL;
    struct line line;
    char id[TRACE_ID_DIGITS + 1];
    bool has = lines_open(&lines, path, &how_found, &not_reported) == STATUS_OK &&
               lines_next(lines, &line, &not_reported) == STATUS_OK &&
               trace_mark_take_id(id, line.text, line.length) && strcmp(id, mark->id) == 0;
    lines_close(lines);
    failure_clear(&not_reported);
    return has;
}

/* Sets *is to whether a list in the folder has the id of the trace. */
static enum status is_folder_of(const char *folder, const struct trace_mark *mark, bool *is,
                                struct failure *why)
{
    struct found_lists found = {.lists = NULL};
    enum status status = find_in_folder(&found, folder, strlen(folder), why);
    *is = false;
    for (size_t i = 0; i < found.count && !*is; i++)
        *is = has_id(found.lists[i].path, mark);
    found_lists_free(&found);
    return status;
}

/* Considers an entry of the folder named by the first `length` bytes of `trace`. Sets *best to
 * its path if its lists have the id and its path sorts before *best. */
static enum status consider(char **best, const char *trace, size_t length, const char *entry,
                            const struct trace_mark *mark, struct failure *why)
{
    bool is_better = false;
    char *path = join(trace, length, entry);
    if (!path)
        return fail_memory(why);
    enum status status = STATUS_OK;
    if (!*best || strcmp(path, *best) < 0)
        status = is_folder_of(path, mark, &is_better, why);
    if (is_better) {
        free(*best);
        *best = path;
    } else {
        free(path);
    }
    return status;
}

/* Sets *best to the folder of lists next to the trace that has its id, which the caller owns
 * (free), or to NULL if there is none. */
static enum status find_by_id(char **best, const char *trace, size_t length,
                              const struct trace_mark *mark, struct failure *why)
{
    const struct dirent *entry;
    enum status status = STATUS_OK;
    char *folder = length > 0 ? strndup(trace, length) : strdup(".");
    DIR *entries = folder ? opendir(folder) : NULL;
    *best = NULL;
    for (errno = 0; entries && status == STATUS_OK && (entry = readdir(entries)); errno = 0)
        if (has_suffix(entry->d_name, names_suffix))
            status = consider(best, trace, length, entry->d_name, mark, why);
    if (entries && status == STATUS_OK && errno != 0)
        status = fail_errno(why, folder, "read", errno);
    if (entries)
        closedir(entries);
    if (!folder)
        status = fail_memory(why);
    free(folder);
    return status;
}

/* Adds the lists in the folder that is named like the trace. */
static enum status find_by_name(struct found_lists *found, const char *trace,
                                struct failure *why)
{
    size_t end = strlen(trace);
    while (end > 1 && trace[end - 1] == '/')
        end--;
    char *name = strndup(trace, end);
    char *folder = name ? trace_stem_path(name, names_suffix) : NULL;
    free(name);
    if (!folder)
        return fail_memory(why);
    enum status status = find_in_folder(found, folder, strlen(folder), why);
    free(folder);
    return status;
}

/* Adds the lists that belong to the trace, when no paths are given. */
static enum status find_own(struct found_lists *found, const struct lists_wanted *wanted,
                            struct failure *why)
{
    const char *trace = wanted->trace;
    size_t length = path_folder_length(trace);
    char *folder = NULL;
    enum status status = find_by_name(found, trace, why);
    if (status == STATUS_OK && found->count == 0 && *wanted->mark->id)
        status = find_by_id(&folder, trace, length, wanted->mark, why);
    if (status == STATUS_OK && folder)
        status = find_in_folder(found, folder, strlen(folder), why);
    free(folder);
    return status == STATUS_OK && found->count == 0 ? find_in_folder(found, trace, length, why)
                                                    : status;
}

enum status lists_search(struct found_lists *found, const struct lists_wanted *wanted,
                         struct failure *why)
{
    if (wanted->paths)
        return find_all(found, wanted->paths, why);
    return wanted->trace ? find_own(found, wanted, why) : STATUS_OK;
}

/* Whether a file begins with a comment of ettrace; false if it cannot be read. */
static bool is_of_ettrace(const char *path)
{
    enum { HEAD = 64 };
    struct failure not_reported = {.status = STATUS_OK};
    struct trace_mark mark = {.is_of_ettrace = false};
    struct source *source = NULL;
    struct stat facts;
    char head[HEAD];
    size_t got;
    if (stat(path, &facts) == 0 && S_ISREG(facts.st_mode) &&
        source_open(&source, path, &how_found, &not_reported) == STATUS_OK &&
        source_read(source, head, HEAD, &got, &not_reported) == STATUS_OK)
        trace_mark_read(&mark, head, got);
    source_close(source);
    failure_clear(&not_reported);
    return mark.is_of_ettrace;
}

bool lists_share_folder(const char *path)
{
    const struct dirent *entry;
    size_t length = path_folder_length(path);
    char *folder = length > 0 ? strndup(path, length) : strdup(".");
    DIR *entries = folder ? opendir(folder) : NULL;
    unsigned count = 0;
    while (entries && count < 2 && (entry = readdir(entries))) {
        char *file = join(path, length, entry->d_name);
        count += file && is_of_ettrace(file);
        free(file);
    }
    if (entries)
        closedir(entries);
    free(folder);
    return count >= 2;
}
