/* SPDX-License-Identifier: MIT */
/* A folder cannot take the place of one that has files. So the new one and one that is there
 * already exchange their names, in one step. Where that cannot be done, the old one is put
 * aside first, and comes back if the new one does not get the name. Folders that may have to be
 * removed are opened in time, since opening one takes memory. */
#include "io/folder.h"

#include "base/memory.h"
#include "io/path.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct folder {
    char *name;
    char *temporary; /* NULL: there is none yet, or no more */
    DIR *files;      /* of `temporary` */
    struct folder_options options;
    struct folder *next;
};

/* While a folder holds its list, it is there under the temporary name in it, or not at all. */
static void hold_list(const struct folder *folder)
{
    pthread_mutex_lock(&folder->options.list->lock);
}

static void release_list(const struct folder *folder)
{
    pthread_mutex_unlock(&folder->options.list->lock);
}

static void add_folder(struct folder *folder)
{
    hold_list(folder);
    folder->next = folder->options.list->first;
    folder->options.list->first = folder;
    release_list(folder);
}

/* The list is held. */
static void remove_folder(struct folder *folder)
{
    struct folder **at = &folder->options.list->first;
    while (*at && *at != folder)
        at = &(*at)->next;
    if (*at)
        *at = folder->next;
}

/* At a signal another thread may make files in a folder that is removed, but not for ever. */
enum { REMOVALS = 1000 };

static void unlink_files(DIR *files)
{
    const struct dirent *entry;
    rewinddir(files);
    while ((entry = readdir(files)))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            unlinkat(dirfd(files), entry->d_name, 0);
}

/* Removes a folder of files, which is open; a folder within it stays, and so does it then. */
static void remove_files(DIR *files, const char *path)
{
    for (int tries = 0; tries < REMOVALS; tries++) {
        unlink_files(files);
        if (rmdir(path) == 0 || (errno != ENOTEMPTY && errno != EEXIST))
            return;
    }
}

/* A new empty folder next to the one with this name; NULL and errno. */
static char *make_empty_next_to(const char *name)
{
    char *made;
    if (asprintf(&made, "%s.XXXXXX", name) < 0) {
        errno = ENOMEM;
        return NULL;
    }
    if (mkdtemp(made))
        return made;
    int error = errno;
    free(made);
    errno = error;
    return NULL;
}

static enum status fail_not_own(const struct folder *folder, struct failure *why)
{
    return fail_at(
        why, STATUS_MEANING, folder->name, 0,
        "The folder has other files than the report: give another name, or move them");
}

/* Whether what is there, if anything is, may be replaced; *is_there shows. */
static enum status check_replaced(const struct folder *folder, bool *is_there,
                                  struct failure *why)
{
    struct stat facts;
    *is_there = stat(folder->name, &facts) == 0;
    if (!*is_there)
        return errno == ENOENT ? STATUS_OK
                               : path_fail_in_folder(why, folder->name, "open", errno);
    if (!S_ISDIR(facts.st_mode))
        return fail_at(why, STATUS_MEANING, folder->name, 0,
                       "This is no folder, and a folder would be written here");
    if (!folder->options.is_own(folder->name))
        return fail_not_own(folder, why);
    if (!folder->options.force)
        return fail_at(why, STATUS_MEANING, folder->name, 0,
                       "The folder is there already; --force replaces it");
    return STATUS_OK;
}

/* The name without what ends it, and without links. NULL and errno: there is none. */
static char *folder_name(const char *path)
{
    char *name = strdup(path);
    size_t length = name ? strlen(name) : 0;
    while (length > 1 && name[length - 1] == '/')
        name[--length] = '\0';
    char *resolved = name ? path_resolve(name) : NULL;
    free(name);
    return resolved;
}

/* Makes the folder under a temporary name. The list is held. */
static enum status make_temporary_folder(struct folder *folder, struct failure *why)
{
    char *made = make_empty_next_to(folder->name);
    folder->files = made ? opendir(made) : NULL;
    if (folder->files) {
        folder->temporary = made;
        return STATUS_OK;
    }
    int error = errno;
    if (made)
        rmdir(made);
    free(made);
    return path_fail_in_folder(why, folder->name, "make a temporary folder next to it", error);
}

static enum status find_name(struct folder *folder, const char *path, struct failure *why)
{
    folder->name = folder_name(path);
    if (folder->name)
        return STATUS_OK;
    return errno == ENOMEM ? fail_memory(why) : fail_errno(why, path, "open", errno);
}

enum status folder_open(struct folder **out, const char *path,
                        const struct folder_options *options, struct failure *why)
{
    bool is_there;
    struct folder *folder = *out = calloc(1, sizeof *folder);
    if (!folder)
        return fail_memory(why);
    folder->options = *options;
    add_folder(folder);
    enum status status = find_name(folder, path, why);
    if (status == STATUS_OK)
        status = check_replaced(folder, &is_there, why);
    if (status == STATUS_OK) {
        hold_list(folder);
        status = make_temporary_folder(folder, why);
        release_list(folder);
    }
    if (status != STATUS_OK) {
        folder_discard(folder);
        *out = NULL;
    }
    return status;
}

const char *folder_temporary(const struct folder *folder)
{
    return folder->temporary;
}

static enum status fail_still_aside(const char *aside, struct failure *why)
{
    return fail_at(why, STATUS_IO, aside, 0, "The folder that was replaced is here now");
}

/* Puts the folder that has the name, of which `files` is open, in the place of `aside`, and
 * removes it when the new one has its name. A file that came into it late stays there. */
static enum status change_places(struct folder *folder, DIR *files, const char *aside,
                                 struct failure *why)
{
    if (rename(folder->name, aside) != 0) {
        enum status status = fail_errno(why, folder->name, "replace", errno);
        rmdir(aside);
        return status;
    }
    bool is_own = folder->options.is_own(aside);
    if (is_own && rename(folder->temporary, folder->name) == 0) {
        remove_files(files, aside);
        return STATUS_OK;
    }
    enum status status =
        is_own ? fail_errno(why, folder->name, "rename to", errno) : fail_not_own(folder, why);
    return rename(aside, folder->name) == 0 ? status : fail_still_aside(aside, why);
}

/* Puts the new folder in place where folders cannot exchange their names. */
static enum status put_aside(struct folder *folder, DIR *files, struct failure *why)
{
    char *aside = make_empty_next_to(folder->name);
    if (!aside)
        return fail_errno(why, folder->name, "make a temporary folder next to it", errno);
    enum status status = change_places(folder, files, aside, why);
    free(aside);
    return status;
}

/* After the folders have exchanged their names: removes the old one, of which `files` is open.
 * If a file came into it late, they change back. */
static enum status remove_replaced(struct folder *folder, DIR *files, struct failure *why)
{
    if (folder->options.is_own(folder->temporary)) {
        remove_files(files, folder->temporary);
        return STATUS_OK;
    }
    if (path_rename(folder->temporary, folder->name, RENAME_EXCHANGE) == 0)
        return fail_not_own(folder, why);
    enum status status = fail_still_aside(folder->temporary, why);
    free(folder->temporary);
    folder->temporary = NULL;
    return status;
}

/* Gives the folder the name of one that is there, which is removed. */
static enum status take_place(struct folder *folder, struct failure *why)
{
    enum status status = STATUS_OK;
    DIR *files = opendir(folder->name);
    if (!files)
        return fail_errno(why, folder->name, "open", errno);
    int error = path_rename(folder->temporary, folder->name, RENAME_EXCHANGE);
    if (!error)
        status = remove_replaced(folder, files, why);
    else if (path_rename_is_unknown(error))
        status = put_aside(folder, files, why);
    else
        status = fail_errno(why, folder->name, "replace", error);
    closedir(files);
    return status;
}

static enum status give_folder_name(struct folder *folder, struct failure *why)
{
    bool is_there;
    mode_t mask = umask(0);
    umask(mask);
    if (chmod(folder->temporary, 0777 & ~mask) != 0)
        return fail_errno(why, folder->name, "set the mode of the new folder", errno);
    TRY(check_replaced(folder, &is_there, why));
    if (is_there)
        return take_place(folder, why);
    if (rename(folder->temporary, folder->name) != 0)
        return fail_errno(why, folder->name, "rename to", errno);
    return STATUS_OK;
}

enum status folder_commit(struct folder *folder, struct failure *why)
{
    hold_list(folder);
    enum status status = give_folder_name(folder, why);
    if (status == STATUS_OK) {
        free(folder->temporary);
        folder->temporary = NULL;
    }
    release_list(folder);
    folder_discard(folder);
    return status;
}

void folder_discard(struct folder *folder)
{
    if (!folder)
        return;
    hold_list(folder);
    remove_folder(folder);
    if (folder->temporary)
        remove_files(folder->files, folder->temporary);
    release_list(folder);
    if (folder->files)
        closedir(folder->files);
    free(folder->temporary);
    free(folder->name);
    free(folder);
}

void folder_list_remove(struct folder_list *list)
{
    pthread_mutex_lock(&list->lock);
    for (const struct folder *folder = list->first; folder; folder = folder->next)
        if (folder->temporary)
            remove_files(folder->files, folder->temporary);
}
