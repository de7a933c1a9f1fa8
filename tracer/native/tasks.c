/* SPDX-License-Identifier: MIT */
/* Linux lists the threads of a process in a folder, with their names in files. A thread may end
 * between the two; then its name is unknown. */
#include "tasks.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* As tasks_find, of the thread with that number. */
static enum task_answer find_in(const char *task, const char *const *beginnings, size_t count)
{
    char path[64], name[32] = "";
    snprintf(path, sizeof path, "/proc/self/task/%.20s/comm", task);
    FILE *file = fopen(path, "re");
    if (!file)
        return TASK_UNKNOWN;
    bool is_read = fgets(name, sizeof name, file);
    fclose(file);
    if (!is_read)
        return TASK_UNKNOWN;
    for (size_t i = 0; i < count; i++)
        if (strncmp(name, beginnings[i], strlen(beginnings[i])) == 0)
            return TASK_FOUND;
    return TASK_NONE;
}

enum task_answer tasks_find(const char *const *beginnings, size_t count)
{
    const struct dirent *entry;
    enum task_answer answer = TASK_NONE;
    DIR *tasks = opendir("/proc/self/task");
    if (!tasks)
        return TASK_UNKNOWN;
    while (answer != TASK_FOUND && (errno = 0, entry = readdir(tasks)))
        if (entry->d_name[0] != '.') {
            enum task_answer one = find_in(entry->d_name, beginnings, count);
            answer = one == TASK_NONE ? answer : one;
        }
    if (answer == TASK_NONE && errno)
        answer = TASK_UNKNOWN;
    closedir(tasks);
    return answer;
}
