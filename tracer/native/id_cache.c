/* SPDX-License-Identifier: MIT */
/* The collector is recognized by the names of its threads: those of the JDK's collectors that
 * move objects while the program runs have threads with names of their own. */
#include "id_cache.h"

#include <dirent.h>
#include <stdio.h>

_Atomic uint64_t id_cache_epoch = UINT64_MAX;

/* Whether the thread whose name is in that file belongs to a collector that runs concurrently
 * with the program. */
static bool is_concurrent(const char *task)
{
    static const char *const names[] = {"ZD", "ZW", "ZG", "ZU", "ZS", "XD", "XW", "Shenandoah"};
    char path[64], name[32] = "";
    snprintf(path, sizeof path, "/proc/self/task/%.20s/comm", task);
    FILE *file = fopen(path, "re");
    if (!file)
        return true;
    if (!fgets(name, sizeof name, file))
        name[0] = '\0';
    fclose(file);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

void id_cache_start(void)
{
    const struct dirent *entry;
    bool any = false, concurrent = false;
    DIR *tasks = opendir("/proc/self/task");
    while (tasks && (entry = readdir(tasks)))
        if (entry->d_name[0] != '.') {
            any = true;
            concurrent = concurrent || is_concurrent(entry->d_name);
        }
    if (tasks)
        closedir(tasks);
    if (any && !concurrent)
        atomic_store(&id_cache_epoch, 0);
}

void id_cache_turn(void)
{
    if (atomic_load(&id_cache_epoch) != UINT64_MAX)
        atomic_fetch_add(&id_cache_epoch, 1);
}
