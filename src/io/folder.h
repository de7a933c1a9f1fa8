/* SPDX-License-Identifier: MIT */
/* A folder of files that is written as a whole: it is made next to its name, and gets that when
 * all files are there. */
#ifndef ETMERLIN_IO_FOLDER_H
#define ETMERLIN_IO_FOLDER_H

#include "base/status.h"

#include <pthread.h>
#include <stdbool.h>

struct folder;

/* Folders that are open, for the end of a process in which they cannot be ended one by one. */
struct folder_list {
    struct folder *first; /* NULL: none */
    pthread_mutex_t lock; /* of the list, and of the folders under temporary names */
};

struct folder_options {
    bool force; /* replace a folder that is there already, if is_own says that it is of ours */
    bool (*is_own)(const char *path);
    struct folder_list *list; /* the folder is in it while it is open */
};

/* Makes the folder `path` under a temporary name next to it. STATUS_MEANING: something is there
 * that the options do not allow to replace. The caller owns *out and ends it with folder_commit
 * or folder_discard. */
enum status folder_open(struct folder **out, const char *path,
                        const struct folder_options *options, struct failure *why) MUST_CHECK;

/* Where files are to be written: a name that ends before a "/". */
const char *folder_temporary(const struct folder *folder);

/* Gives the folder its name. Releases it, also on failure; then no folder is left, and what was
 * there before still is. */
enum status folder_commit(struct folder *folder, struct failure *why) MUST_CHECK;

/* Removes the folder with its files, and releases it; NULL is allowed. */
void folder_discard(struct folder *folder);

/* Removes the folders in the list with their files, and nothing else. Any thread may do so:
 * from then on no folder of the list is opened or ended, so the process has to end. */
void folder_list_remove(struct folder_list *list);

#endif
