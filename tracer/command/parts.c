/* SPDX-License-Identifier: MIT */
/* The parts are in the folder of this program, where it was built, or in the one where they
 * were installed. The latter is found by the relative path from BINDIR to PKGLIBDIR, so that
 * all of them can be moved together. */
#include "parts.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char agent[] = "libettrace.so", java_part[] = "ettrace.jar";

/* The path of a part. The caller owns it; NULL: no memory. */
static char *part_path(const char *folder, const char *part)
{
    char *path = NULL;
    return asprintf(&path, "%s/%s", folder, part) < 0 ? NULL : path;
}

static bool has_agent(const char *folder)
{
    char *path = part_path(folder, agent);
    bool has = path && access(path, R_OK) == 0;
    free(path);
    return has;
}

/* How many bytes two absolute paths have in common, up to the end of a name. */
static size_t common_length(const char *one, const char *other)
{
    size_t length = 0;
    for (size_t i = 0;; i++) {
        bool one_ends = !one[i] || one[i] == '/', other_ends = !other[i] || other[i] == '/';
        if (one_ends && other_ends)
            length = i;
        if (!one[i] || !other[i] || one[i] != other[i])
            return length;
    }
}

/* The folder in which the parts are installed if this program is in `folder`. The caller owns
 * it; NULL: no memory, or there is no such folder. */
static char *find_installed(const char *folder)
{
    size_t common = common_length(BINDIR, PKGLIBDIR);
    char path[PATH_MAX + sizeof BINDIR * 2 + sizeof PKGLIBDIR];
    int length = snprintf(path, PATH_MAX, "%s", folder);
    for (const char *at = &BINDIR[common]; *at; at++)
        if (*at == '/' && at[1] && at[1] != '/')
            length += sprintf(path + length, "/..");
    snprintf(path + length, sizeof path - (size_t)length, "%s", &PKGLIBDIR[common]);
    return realpath(path, NULL);
}

char *parts_folder(void)
{
    char program[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0)
        return strdup(PKGLIBDIR);
    program[length] = '\0';
    *strrchr(program, '/') = '\0';
    if (has_agent(program))
        return strdup(program);
    char *installed = find_installed(program);
    if (installed && has_agent(installed))
        return installed;
    free(installed);
    return strdup(PKGLIBDIR);
}

static enum status check_part(const char *folder, const char *part, struct failure *why)
{
    char *path = part_path(folder, part);
    enum status status = STATUS_OK;
    if (!path)
        return fail_memory(why);
    if (access(path, R_OK) != 0)
        status = fail_errno(why, path, "read this part of the tracer", errno);
    else if (part == agent && !dlopen(path, RTLD_LAZY | RTLD_LOCAL))
        status =
            fail(why, STATUS_MEANING, "Cannot load this part of the tracer: %s", dlerror());
    free(path);
    return status;
}

enum status parts_check(struct failure *why)
{
    char *folder = parts_folder();
    if (!folder)
        return fail_memory(why);
    enum status status = check_part(folder, agent, why);
    if (status == STATUS_OK)
        status = check_part(folder, java_part, why);
    free(folder);
    return status;
}
