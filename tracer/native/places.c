/* SPDX-License-Identifier: MIT */
/* The command checks the outputs before it starts a program, and the agent does before the
 * virtual machine runs. Files may change until the trace begins, so they are checked once more
 * as they get their names. */
#include "places.h"

#include "io/path.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <unistd.h>

const char *const list_names[LIST_COUNT] = {"class_list", "method_list", "field_list",
                                            "site_list"};

/* The trace, the file of --check, the folder of the lists, and these. */
enum { PLACE_COUNT = 3 + LIST_COUNT };

bool place_is_free(const struct stat *facts, const struct replacing *replacing)
{
    if (!S_ISREG(facts->st_mode) || !facts->st_size)
        return true;
    return replacing->force &&
           (!replacing->is_shared || (uint64_t)facts->st_ino == replacing->former);
}

/* A process's locks end with it; exec keeps them, and children have none of them. */
bool place_is_locked(int descriptor)
{
    struct stat facts;
    return fstat(descriptor, &facts) == 0 && S_ISREG(facts.st_mode) &&
           flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

/* Whether another process has the regular file `path` open as its trace. Pipes are not opened:
 * closed again, that would end the input of their readers. */
static bool is_written(const char *path, struct stat *facts)
{
    if (stat(path, facts) != 0 || !S_ISREG(facts->st_mode))
        return false;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (descriptor < 0)
        return false;
    bool is = place_is_locked(descriptor);
    close(descriptor);
    return is;
}

bool place_is_taken(const char *path, const struct replacing *replacing)
{
    struct stat facts;
    if (is_written(path, &facts))
        return true;
    return replacing->is_shared && stat(path, &facts) == 0 && S_ISREG(facts.st_mode) &&
           facts.st_size && (uint64_t)facts.st_ino != replacing->former;
}

char *place_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return strdup(".");
    return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

char *place_in(const char *folder, const char *name)
{
    char *path = NULL;
    return asprintf(&path, "%s/%s", folder, name) < 0 ? NULL : path;
}

/* What the link at `path` leads to in one step; NULL: `path` is no link, or there is no memory.
 */
static char *follow(const char *path)
{
    char target[PATH_MAX];
    ssize_t length = readlink(path, target, sizeof target - 1);
    if (length < 0)
        return NULL;
    target[length] = '\0';
    if (*target == '/')
        return strdup(target);
    char *folder = place_folder(path);
    char *behind = folder ? place_in(folder, target) : NULL;
    free(folder);
    return behind;
}

char *place_behind_links(const char *path)
{
    enum { MOST_LINKS = 40 };
    char *at = strdup(path), *behind;
    for (int i = 0; at && i < MOST_LINKS && (behind = follow(at)); i++) {
        free(at);
        at = behind;
    }
    return at;
}

/* The path with the text `process` for "%p" and a percent sign for "%%"; characters of `quoted`
 * have a backslash before them. The caller owns it; NULL: no memory, or `path` is NULL. */
static char *expand(const char *path, const char *process, const char *quoted)
{
    size_t length = path ? strlen(path) : 0, longest = strlen(process) + 2;
    char *made = path && length < SIZE_MAX / longest - 1 ? malloc(length * longest + 1) : NULL;
    char *to = made;
    for (; made && *path; path++) {
        bool is_escape = *path == '%' && (path[1] == 'p' || path[1] == '%');
        if (is_escape && *++path == 'p') {
            to = stpcpy(to, process);
            continue;
        }
        if (strchr(quoted, *path))
            *to++ = '\\';
        *to++ = *path;
    }
    if (made)
        *to = '\0';
    return made;
}

char *place_of_process(const char *path)
{
    char process[24];
    snprintf(process, sizeof process, "%ld", (long)getpid());
    return expand(path, process, "");
}

char *place_pattern(const char *path)
{
    return expand(path, "[0-9]*", "*?[\\");
}

enum status place_refuse_pipe(const char *path, struct failure *why)
{
    struct stat facts;
    if (stat(path, &facts) != 0 || !S_ISFIFO(facts.st_mode))
        return STATUS_OK;
    return fail_at(why, STATUS_MEANING, path, 0,
                   "This is a pipe; only the trace can be written to one");
}

/* The real path of the folder of `path`. The caller owns it; NULL: no memory, or there is none.
 */
static char *real_folder(const char *path)
{
    char *folder = place_folder(path);
    char *real = folder ? realpath(folder, NULL) : NULL;
    free(folder);
    return real;
}

enum status place_refuse_outside(const char *path, struct failure *why)
{
    char *behind = place_behind_links(path);
    if (!behind)
        return fail_memory(why);
    char *given = real_folder(path), *real = real_folder(behind);
    bool is_inside = strcmp(path, behind) == 0 || (given && real && strcmp(given, real) == 0);
    free(given);
    free(real);
    free(behind);
    return is_inside ? STATUS_OK
                     : fail_at(why, STATUS_MEANING, path, 0,
                               "This name list is a link that leads out of its folder; remove "
                               "it, or --names=DIR puts the name lists elsewhere");
}

/* Whether a file can be made in the folder of `path`. */
static enum status check_folder(const char *path, struct failure *why)
{
    char *folder = place_folder(path);
    if (!folder)
        return fail_memory(why);
    int error = access(folder, W_OK | X_OK) == 0 ? 0 : errno;
    free(folder);
    return error ? path_fail_in_folder(why, path, "open", error) : STATUS_OK;
}

/* Whether the output `path` can be made; `hint` ends the sentence if it is there. */
static enum status check_place(const char *path, const struct replacing *replacing,
                               const char *hint, struct failure *why)
{
    struct stat facts;
    char *behind = place_behind_links(path);
    enum status status = STATUS_OK;
    if (!behind)
        return fail_memory(why);
    if (stat(behind, &facts) != 0)
        status =
            errno == ENOENT ? check_folder(behind, why) : fail_errno(why, path, "open", errno);
    else if (S_ISDIR(facts.st_mode))
        status = fail_errno(why, path, "open", EISDIR);
    else if (is_written(behind, &facts))
        status = fail_at(why, STATUS_MEANING, path, 0, "Another process writes into this file");
    else if (!place_is_free(&facts, replacing))
        status = fail_at(why, STATUS_MEANING, path, 0,
                         "The file is there already; --force replaces it%s", hint);
    else if (access(behind, W_OK) != 0)
        status = fail_errno(why, path, "open", errno);
    else if (S_ISREG(facts.st_mode))
        status = check_folder(behind, why);
    free(behind);
    return status;
}

/* The same for an output other than the trace. */
static enum status check_other(const char *path, const struct replacing *replacing,
                               const char *hint, struct failure *why)
{
    enum status status = place_refuse_pipe(path, why);
    return status == STATUS_OK ? check_place(path, replacing, hint, why) : status;
}

static enum status check_lists(const char *folder, const struct replacing *replacing,
                               struct failure *why)
{
    struct stat facts;
    if (stat(folder, &facts) != 0) {
        char *parent = place_folder(folder);
        int error = errno != ENOENT               ? errno
                    : !parent                     ? ENOMEM
                    : access(parent, W_OK | X_OK) ? errno
                                                  : 0;
        free(parent);
        return error ? path_fail_in_folder(why, folder, "make the folder", error) : STATUS_OK;
    }
    if (!S_ISDIR(facts.st_mode))
        return fail_errno(why, folder, "make the folder", ENOTDIR);
    enum status status = STATUS_OK;
    for (int i = 0; i < LIST_COUNT && status == STATUS_OK; i++) {
        char *path = place_in(folder, list_names[i]);
        status = path ? place_refuse_outside(path, why) : fail_memory(why);
        if (status == STATUS_OK)
            status = check_other(path, replacing, ", --names=DIR puts the name lists elsewhere",
                                 why);
        free(path);
    }
    return status;
}

/* What shows whether two outputs are the same file: its facts, or if it does not exist, those
 * of its folder and its name. */
struct identity {
    struct stat facts;
    const char *name; /* NULL: the file exists */
};

/* Sets *identity; false: neither the file nor its folder exists. */
static bool identify(struct identity *identity, const char *path)
{
    const char *slash = strrchr(path, '/');
    identity->name = NULL;
    if (stat(path, &identity->facts) == 0)
        return true;
    identity->name = slash ? slash + 1 : path;
    char *folder = place_folder(path);
    bool is_known = folder && stat(folder, &identity->facts) == 0;
    free(folder);
    return is_known;
}

/* Whether two outputs are the same file. Devices may be shared. */
static bool is_same(const char *one, const char *other)
{
    struct identity first, second;
    bool are_known = identify(&first, one) && identify(&second, other);
    if (!are_known || first.facts.st_dev != second.facts.st_dev ||
        first.facts.st_ino != second.facts.st_ino || !first.name != !second.name)
        return false;
    if (first.name)
        return strcmp(first.name, second.name) == 0;
    return !S_ISCHR(first.facts.st_mode);
}

/* Whether no two of the paths are the same file; NULL is no path. */
static enum status check_distinct(char *const *paths, struct failure *why)
{
    for (int i = 0; i < PLACE_COUNT; i++)
        for (int k = 0; k < i; k++)
            if (paths[i] && paths[k] && is_same(paths[i], paths[k]))
                return fail_at(why, STATUS_MEANING, paths[k], 0,
                               "Two outputs would be this file: the trace, its name lists and "
                               "the file of --check need different names");
    return STATUS_OK;
}

static enum status check_all_distinct(const struct places *places, struct failure *why)
{
    char *paths[PLACE_COUNT] = {NULL};
    int count = 0;
    bool fits = true;
    const char *const given[] = {places->trace, places->check, places->names};
    for (int i = 0; i < 3; i++)
        if (given[i])
            fits &= (paths[count++] = place_behind_links(given[i])) != NULL;
    for (int i = 0; places->names && i < LIST_COUNT; i++) {
        char *path = place_in(places->names, list_names[i]);
        fits &= path && (paths[count++] = place_behind_links(path)) != NULL;
        free(path);
    }
    enum status status = fits ? check_distinct(paths, why) : fail_memory(why);
    for (int i = 0; i < PLACE_COUNT; i++)
        free(paths[i]);
    return status;
}

enum status places_check(const struct places *places, const struct replacing *replacing,
                         struct failure *why)
{
    const struct replacing others = {.force = replacing->force};
    enum status status = check_all_distinct(places, why);
    if (status == STATUS_OK && places->trace)
        status = check_place(places->trace, replacing, "", why);
    if (status == STATUS_OK && places->check)
        status = check_other(places->check, &others, "", why);
    if (status == STATUS_OK && places->names)
        status = check_lists(places->names, &others, why);
    return status;
}

/* The files that are made as the trace begins. A process holds a lock on each file that it
 * writes. To replace a file, it takes that file's lock as well, so only one of several
 * processes that try succeeds. */

/* A random name in the folder of the file. The caller owns it; NULL: no memory. */
static char *temporary_name(const char *path)
{
    uint64_t number = 0;
    const char *slash = strrchr(path, '/');
    int folder = slash ? (int)(slash - path) + 1 : 0;
    char *name = NULL;
    if (getrandom(&number, sizeof number, 0) != sizeof number)
        return NULL;
    return asprintf(&name, "%.*s.ettrace-%016llx", folder, path, (unsigned long long)number) < 0
               ? NULL
               : name;
}

/* Makes the new file, under a temporary name. */
static enum status make(struct fresh *fresh, const char *path, struct failure *why)
{
    fresh->temporary = temporary_name(fresh->path);
    if (!fresh->temporary)
        return fail_memory(why);
    fresh->descriptor = open(fresh->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fresh->descriptor >= 0) {
        flock(fresh->descriptor, LOCK_EX | LOCK_NB);
        return STATUS_OK;
    }
    free(fresh->temporary);
    fresh->temporary = NULL;
    return fail_errno(why, path, "open", errno);
}

enum status fresh_open(struct fresh *fresh, const char *path, struct failure *why)
{
    struct stat facts;
    *fresh = (struct fresh){.path = place_behind_links(path), .descriptor = -1};
    if (!fresh->path)
        return fail_memory(why);
    if (stat(fresh->path, &facts) != 0 || S_ISREG(facts.st_mode))
        return make(fresh, path, why);
    fresh->descriptor = open(fresh->path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    return fresh->descriptor < 0 ? fail_errno(why, path, "open", errno) : STATUS_OK;
}

/* Gives the file another name, under which it stays when it is replaced. A file system without
 * hard links cannot do this: there, what is replaced is gone. */
static void save(struct fresh *fresh)
{
    if (!fresh->former)
        fresh->former = temporary_name(fresh->path);
    if (fresh->former && link(fresh->path, fresh->former) != 0) {
        free(fresh->former);
        fresh->former = NULL;
    }
}

/* Replaces the file that is open as `former`. Sets *again to whether another file has its name
 * by now; then nothing was replaced. */
static enum status replace(struct fresh *fresh, int former, const struct replacing *replacing,
                           bool *again, struct failure *why)
{
    struct stat facts, named;
    if (place_is_locked(former) || fstat(former, &facts) != 0)
        return fail_at(why, STATUS_MEANING, fresh->path, 0,
                       "Another process writes into this file");
    if (!place_is_free(&facts, replacing))
        return fail_at(why, STATUS_MEANING, fresh->path, 0,
                       "The file is there already; --force replaces it");
    *again = stat(fresh->path, &named) != 0 || named.st_ino != facts.st_ino ||
             named.st_dev != facts.st_dev;
    if (*again)
        return STATUS_OK;
    save(fresh);
    if (rename(fresh->temporary, fresh->path) == 0)
        return STATUS_OK;
    return fail_errno(why, fresh->path, "replace", errno);
}

/* Gives the file its name, if no file has it; sets *again to whether one has. A file system
 * without hard links cannot do this in one step: there, a file that another process makes at
 * the same time is replaced. */
static enum status put(struct fresh *fresh, bool *again, struct failure *why)
{
    *again = false;
    if (link(fresh->temporary, fresh->path) == 0) {
        unlink(fresh->temporary);
        return STATUS_OK;
    }
    *again = errno == EEXIST;
    if (*again || rename(fresh->temporary, fresh->path) == 0)
        return STATUS_OK;
    return fail_errno(why, fresh->path, "open", errno);
}

enum status fresh_name(struct fresh *fresh, const struct replacing *replacing,
                       struct failure *why)
{
    enum status status = STATUS_OK;
    bool again = fresh->temporary != NULL;
    if (!again)
        return STATUS_OK;
    while (again && status == STATUS_OK) {
        int former = open(fresh->path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
        if (former >= 0)
            status = replace(fresh, former, replacing, &again, why);
        else if (errno == ENOENT)
            status = put(fresh, &again, why);
        else
            status = fail_errno(why, fresh->path, "open", errno);
        if (former >= 0)
            close(former);
    }
    if (status != STATUS_OK)
        return status;
    free(fresh->temporary);
    fresh->temporary = NULL;
    fresh->is_made = true;
    return STATUS_OK;
}

/* Removes the file, and gives the one that it has replaced its name back. If that fails, the
 * old file stays under its other name. */
static void take_back(struct fresh *fresh)
{
    if (fresh->former && rename(fresh->former, fresh->path) == 0)
        return;
    unlink(fresh->path); /* which may make room for the name */
    if (fresh->former && rename(fresh->former, fresh->path) != 0) {
        free(fresh->former);
        fresh->former = NULL;
    }
}

void fresh_drop(struct fresh *fresh)
{
    if (fresh->temporary)
        unlink(fresh->temporary);
    else if (fresh->is_made)
        take_back(fresh);
    if (fresh->path && fresh->descriptor >= 0)
        close(fresh->descriptor);
    fresh_keep(fresh);
}

void fresh_keep(struct fresh *fresh)
{
    if (fresh->former)
        unlink(fresh->former);
    free(fresh->path);
    free(fresh->temporary);
    free(fresh->former);
    *fresh = (struct fresh){.descriptor = -1};
}
