/* SPDX-License-Identifier: MIT */
/* A process holds a lock on each file that it writes. To replace a file, it takes that file's
 * lock as well, so only one of several processes that try succeeds. */
#include "fresh.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <unistd.h>

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
