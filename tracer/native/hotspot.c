/* SPDX-License-Identifier: MIT */
/* How the virtual machine runs, where JVMTI does not say it: from the library of HotSpot, and
 * from the names of its threads. */
#include "hotspot.h"

#include "id_cache.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* HotSpot exports tables of its own structures, for debuggers that look into it: where its
 * flags are, and where in a flag its name, its origin and the address of its value are. What
 * is not there, or not as expected, is left alone. */

enum { ORIGIN = 15 }; /* the bits that say who has set a flag; 0: nobody */

/* A table of entries of one size, and where in an entry the name of a type is. */
struct table {
    const char *entries;
    uint64_t stride, name;
};

/* Where a flag's parts are, from its beginning. */
struct layout {
    char *flags;
    uint64_t count, size;
    uint64_t name, address, origin;
};

/* The variable of that name in the library; 0: there is none. */
static uint64_t number_of(void *library, const char *name)
{
    const uint64_t *number = dlsym(library, name);
    return number ? *number : 0;
}

/* Fails where the library has no such table. */
static bool find_table(struct table *table, void *library, const char *entries,
                       const char *stride, const char *name)
{
    const char *const *first = dlsym(library, entries);
    table->entries = first ? *first : NULL;
    table->stride = number_of(library, stride);
    table->name = number_of(library, name);
    return table->entries && table->stride;
}

static const void *pointer_at(const char *at)
{
    const void *pointer;
    memcpy(&pointer, at, sizeof pointer);
    return pointer;
}

static uint64_t number_at(const void *at)
{
    uint64_t number;
    memcpy(&number, at, sizeof number);
    return number;
}

static bool is_text_at(const char *at, const char *text)
{
    const char *found = pointer_at(at);
    return found && strcmp(found, text) == 0;
}

/* Whether this is an entry; after the last one is one without a name. */
static bool is_entry(const struct table *table, const char *entry)
{
    return pointer_at(entry + table->name);
}

/* The size of a flag; 0: it is not there. */
static uint64_t flag_size(void *library)
{
    struct table types;
    if (!find_table(&types, library, "gHotSpotVMTypes", "gHotSpotVMTypeEntryArrayStride",
                    "gHotSpotVMTypeEntryTypeNameOffset"))
        return 0;
    uint64_t size = number_of(library, "gHotSpotVMTypeEntrySizeOffset");
    for (const char *at = types.entries; is_entry(&types, at); at += types.stride)
        if (is_text_at(at + types.name, "JVMFlag"))
            return number_at(at + size);
    return 0;
}

/* Fails where something is missing. */
static bool find_layout(struct layout *layout, void *library)
{
    struct table fields;
    unsigned found = 0;
    if (!find_table(&fields, library, "gHotSpotVMStructs", "gHotSpotVMStructEntryArrayStride",
                    "gHotSpotVMStructEntryTypeNameOffset"))
        return false;
    uint64_t field = number_of(library, "gHotSpotVMStructEntryFieldNameOffset");
    uint64_t offset = number_of(library, "gHotSpotVMStructEntryOffsetOffset");
    uint64_t address = number_of(library, "gHotSpotVMStructEntryAddressOffset");
    for (const char *at = fields.entries; is_entry(&fields, at); at += fields.stride) {
        if (!is_text_at(at + fields.name, "JVMFlag"))
            continue;
        found++;
        if (is_text_at(at + field, "flags"))
            layout->flags = (char *)(uintptr_t)number_at(pointer_at(at + address));
        else if (is_text_at(at + field, "numFlags"))
            layout->count = number_at(pointer_at(at + address));
        else if (is_text_at(at + field, "_name"))
            layout->name = number_at(at + offset);
        else if (is_text_at(at + field, "_addr"))
            layout->address = number_at(at + offset);
        else if (is_text_at(at + field, "_flags"))
            layout->origin = number_at(at + offset);
        else
            found--;
    }
    layout->size = flag_size(library);
    return found == 5 && layout->flags && layout->size > 0;
}

static char *find_flag(const struct layout *layout, const char *name)
{
    for (size_t i = 0; i < layout->count; i++) {
        char *flag = layout->flags + i * layout->size;
        if (is_text_at(flag + layout->name, name))
            return flag;
    }
    return NULL;
}

static bool has_default(const struct layout *layout, const char *flag)
{
    unsigned origin;
    memcpy(&origin, flag + layout->origin, sizeof origin);
    return (origin & ORIGIN) == 0;
}

/* The library of the virtual machine; NULL: it is not known. */
static void *open_machine(jvmtiEnv *jvmti)
{
    Dl_info facts;
    const void *function;
    memcpy(&function, &(*jvmti)->GetTag, sizeof function);
    return dladdr(function, &facts) ? dlopen(facts.dli_fname, RTLD_LAZY | RTLD_NOLOAD) : NULL;
}

bool hotspot_set_flag(jvmtiEnv *jvmti, const char *name, intptr_t value)
{
    struct layout layout = {0};
    void *library = open_machine(jvmti);
    char *flag = library && find_layout(&layout, library) ? find_flag(&layout, name) : NULL;
    bool fits = flag && has_default(&layout, flag);
    if (fits)
        memcpy((void *)(uintptr_t)number_at(flag + layout.address), &value, sizeof value);
    if (library)
        dlclose(library);
    return fits;
}

bool hotspot_flag_is_set(jvmtiEnv *jvmti, const char *name)
{
    struct layout layout = {0};
    void *library = open_machine(jvmti);
    const char *flag =
        library && find_layout(&layout, library) ? find_flag(&layout, name) : NULL;
    bool is_set = flag && *(const char *)(uintptr_t)number_at(flag + layout.address) != 0;
    if (library)
        dlclose(library);
    return is_set;
}

/* Linux lists the threads of a process in a folder, with their names in files. A thread may end
 * between the two; then its name is unknown. */

/* As hotspot_find_thread, of the thread with that number. */
static enum thread_answer find_in(const char *task, const char *const *beginnings, size_t count)
{
    char path[64], name[32] = "";
    snprintf(path, sizeof path, "/proc/self/task/%.20s/comm", task);
    FILE *file = fopen(path, "re");
    if (!file)
        return THREAD_UNKNOWN;
    bool is_read = fgets(name, sizeof name, file);
    fclose(file);
    if (!is_read)
        return THREAD_UNKNOWN;
    for (size_t i = 0; i < count; i++)
        if (strncmp(name, beginnings[i], strlen(beginnings[i])) == 0)
            return THREAD_FOUND;
    return THREAD_NONE;
}

enum thread_answer hotspot_find_thread(const char *const *beginnings, size_t count)
{
    const struct dirent *entry;
    enum thread_answer answer = THREAD_NONE;
    DIR *tasks = opendir("/proc/self/task");
    if (!tasks)
        return THREAD_UNKNOWN;
    while (answer != THREAD_FOUND && (errno = 0, entry = readdir(tasks)))
        if (entry->d_name[0] != '.') {
            enum thread_answer one = find_in(entry->d_name, beginnings, count);
            answer = one == THREAD_NONE ? answer : one;
        }
    if (answer == THREAD_NONE && errno)
        answer = THREAD_UNKNOWN;
    closedir(tasks);
    return answer;
}

/* Those of the JDK's collectors that move objects while the program runs have threads with
 * names of their own. */

_Atomic uint64_t id_cache_epoch = UINT64_MAX;

void id_cache_start(void)
{
    static const char *const concurrent[] = {"ZD", "ZW", "ZG", "ZU",
                                             "ZS", "XD", "XW", "Shenandoah"};
    if (hotspot_find_thread(concurrent, sizeof concurrent / sizeof *concurrent) == THREAD_NONE)
        atomic_store(&id_cache_epoch, 0);
}

void id_cache_turn(void)
{
    if (atomic_load(&id_cache_epoch) != UINT64_MAX)
        atomic_fetch_add(&id_cache_epoch, 1);
}
