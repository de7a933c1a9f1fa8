/* SPDX-License-Identifier: MIT */
/* Each list numbers its own keys: the name of a class, or "CLASS#MEMBER" for methods and
 * fields. Sites are only counted. New lines wait in memory until the merger asks for them,
 * since it writes them before the records that use the numbers. */
#include "names.h"

#include "base/memory.h"
#include "base/symbols.h"
#include "io/descriptor.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct list_file {
    struct symbols symbols;
    struct fresh file;
    int descriptor; /* of the file, once it has its name for good */
    bool is_kept;   /* the file is to be written */
    char *lines;    /* those that are not written yet */
    size_t length, capacity;
};

struct name_lists {
    pthread_mutex_t lock;
    char *folder; /* NULL: no lists are written */
    bool is_made; /* name_lists_create has made the folder */
    bool is_open; /* the files have their names */
    int error;    /* why the first missing line or number is missing; 0: none is */
    uint32_t sites;
    struct list_file files[LIST_COUNT];
};

enum status name_lists_open(struct name_lists **out, const char *folder, struct failure *why)
{
    struct name_lists *lists = calloc(1, sizeof *lists);
    if (!lists)
        return fail_memory(why);
    pthread_mutex_init(&lists->lock, NULL);
    for (int i = 0; i < LIST_COUNT; i++)
        lists->files[i].is_kept = folder != NULL;
    *out = lists;
    if (folder && !(lists->folder = strdup(folder)))
        return fail_memory(why);
    return STATUS_OK;
}

static enum status create_list(struct name_lists *lists, enum list list, const char *first,
                               struct failure *why)
{
    struct fresh *file = &lists->files[list].file;
    char *path = place_in(lists->folder, list_names[list]);
    if (!path)
        return fail_memory(why);
    enum status status = place_refuse_outside(path, why);
    if (status == STATUS_OK)
        status = place_refuse_pipe(path, why);
    if (status == STATUS_OK)
        status = fresh_open(file, path, why);
    int error = status == STATUS_OK
                    ? descriptor_write(file->descriptor, first, strlen(first), NULL)
                    : 0;
    if (error)
        status = fail_errno(why, path, "write", error);
    free(path);
    return status;
}

enum status name_lists_create(struct name_lists *lists, const char *first, struct failure *why)
{
    enum status status = STATUS_OK;
    if (!lists->folder)
        return STATUS_OK;
    lists->is_made = mkdir(lists->folder, 0777) == 0;
    if (!lists->is_made && errno != EEXIST)
        return fail_errno(why, lists->folder, "make the folder", errno);
    for (int i = 0; i < LIST_COUNT && status == STATUS_OK; i++)
        status = create_list(lists, (enum list)i, first, why);
    return status;
}

enum status name_lists_name(struct name_lists *lists, const struct replacing *replacing,
                            struct failure *why)
{
    enum status status = STATUS_OK;
    for (int i = 0; lists->folder && i < LIST_COUNT && status == STATUS_OK; i++)
        status = fresh_name(&lists->files[i].file, replacing, why);
    return status;
}

void name_lists_keep(struct name_lists *lists)
{
    if (!lists->folder)
        return;
    pthread_mutex_lock(&lists->lock);
    for (int i = 0; i < LIST_COUNT; i++) {
        lists->files[i].descriptor = lists->files[i].file.descriptor;
        fresh_keep(&lists->files[i].file);
    }
    lists->is_open = true;
    pthread_mutex_unlock(&lists->lock);
}

void name_lists_drop(struct name_lists *lists)
{
    pthread_mutex_lock(&lists->lock);
    lists->is_open = false;
    for (int i = 0; i < LIST_COUNT; i++) {
        lists->files[i].is_kept = false;
        fresh_drop(&lists->files[i].file);
    }
    pthread_mutex_unlock(&lists->lock);
    if (lists->is_made)
        rmdir(lists->folder);
}

/* A line or a number is missing for want of memory. */
static void lack_memory(struct name_lists *lists)
{
    if (!lists->error)
        lists->error = ENOMEM;
}

/* Class files allow line ends in names; here they become question marks. */
static void keep_in_line(char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (text[i] == '\n' || text[i] == '\r')
            text[i] = '?';
}

/* Appends a line, whose last byte is its end. */
static void add_line(struct name_lists *lists, enum list list, const char *line, size_t length)
{
    struct list_file *file = &lists->files[list];
    char *lines = array_grow(file->lines, &file->capacity, file->length + length, 1);
    if (!lines) {
        lack_memory(lists);
        return;
    }
    file->lines = lines;
    memcpy(lines + file->length, line, length);
    keep_in_line(lines + file->length, length - 1);
    file->length += length;
}

static void print_line(struct name_lists *lists, enum list list, const char *format, ...)
    PRINTF_LIKE(3, 4);

static void print_line(struct name_lists *lists, enum list list, const char *format, ...)
{
    char *line = NULL;
    va_list arguments;
    if (!lists->files[list].is_kept)
        return;
    va_start(arguments, format);
    int length = vasprintf(&line, format, arguments);
    va_end(arguments);
    if (length < 0) {
        lack_memory(lists);
        return;
    }
    add_line(lists, list, line, (size_t)length);
    free(line);
}

/* The number of the text in its list, from 1; 0: no memory. Sets *is_new to true if it is new.
 */
static uint32_t number_of(struct name_lists *lists, enum list list, const char *text,
                          size_t length, bool *is_new)
{
    struct list_file *file = &lists->files[list];
    struct failure why = {0};
    uint32_t number;
    size_t before = file->symbols.count;
    if (symbols_add(&file->symbols, text, length, &number, &why) != STATUS_OK) {
        failure_clear(&why);
        lack_memory(lists);
        return 0;
    }
    *is_new = file->symbols.count > before;
    return number + 1;
}

/* The name in Java of a primitive type, by its letter in descriptors. */
static const char *element_name(char letter)
{
    static const char *const names[] = {"boolean", "byte", "char", "double",
                                        "float",   "int",  "long", "short"};
    const char *place = strchr("ZBCDFIJS", letter);
    return place && letter ? names[place - "ZBCDFIJS"] : "?";
}

/* Prints a type; an array such as "[Ljava/lang/String;" becomes java/lang/String[]. */
static void print_type(struct name_lists *lists, uint32_t number, const char *name,
                       size_t length)
{
    size_t depth = strspn(name, "[");
    const char *element = name + depth;
    char *brackets = malloc(2 * depth + 1);
    if (!brackets) {
        lack_memory(lists);
        return;
    }
    for (size_t i = 0; i < depth; i++)
        memcpy(brackets + 2 * i, "[]", 2);
    brackets[2 * depth] = '\0';
    if (depth && *element != 'L')
        print_line(lists, LIST_TYPES, "%u,%s%s\n", number, element_name(*element), brackets);
    else if (depth)
        print_line(lists, LIST_TYPES, "%u,%.*s%s\n", number, (int)(length - depth - 2),
                   element + 1, brackets);
    else
        print_line(lists, LIST_TYPES, "%u,%.*s\n", number, (int)length, name);
    free(brackets);
}

static uint32_t type_number(struct name_lists *lists, const char *name, size_t length)
{
    bool is_new = false;
    uint32_t number = number_of(lists, LIST_TYPES, name, length, &is_new);
    if (is_new)
        print_type(lists, number, name, length);
    return number;
}

uint32_t name_of_type(struct name_lists *lists, const char *name, size_t length)
{
    pthread_mutex_lock(&lists->lock);
    uint32_t number = type_number(lists, name, length);
    pthread_mutex_unlock(&lists->lock);
    return number;
}

static uint32_t member_number(struct name_lists *lists, enum list list, const char *owner,
                              const char *name)
{
    char *key = NULL;
    bool is_new = false;
    uint32_t number = 0;
    int length = asprintf(&key, "%s#%s", owner, name);
    int shown = (int)(list == LIST_FIELDS ? strcspn(name, ".") : strlen(name));
    pthread_mutex_lock(&lists->lock);
    if (length < 0) {
        lack_memory(lists);
    } else {
        uint32_t type = type_number(lists, owner, strlen(owner));
        number = number_of(lists, list, key, (size_t)length, &is_new);
        if (is_new)
            print_line(lists, list, "%u,%u,%.*s\n", number, type, shown, name);
        free(key);
    }
    pthread_mutex_unlock(&lists->lock);
    return number;
}

uint32_t name_of_method(struct name_lists *lists, const char *owner, const char *name)
{
    return member_number(lists, LIST_METHODS, owner, name);
}

uint32_t name_of_field(struct name_lists *lists, const char *owner, const char *name)
{
    return member_number(lists, LIST_FIELDS, owner, name);
}

bool name_begins_method(struct name_lists *lists, uint32_t method, const char *beginning)
{
    const struct symbols *methods = &lists->files[LIST_METHODS].symbols;
    pthread_mutex_lock(&lists->lock);
    bool begins =
        method > 0 && method <= methods->count &&
        strncmp(symbols_text(methods, method - 1, NULL), beginning, strlen(beginning)) == 0;
    pthread_mutex_unlock(&lists->lock);
    return begins;
}

uint32_t name_new_sites(struct name_lists *lists, uint32_t count)
{
    pthread_mutex_lock(&lists->lock);
    uint32_t first = lists->sites + 1;
    lists->sites += count;
    pthread_mutex_unlock(&lists->lock);
    return first;
}

void name_site(struct name_lists *lists, uint32_t number, uint32_t method, uint32_t line,
               const char *type)
{
    pthread_mutex_lock(&lists->lock);
    print_line(lists, LIST_SITES, "%u,%u,%u,%s\n", number, method, line, type);
    pthread_mutex_unlock(&lists->lock);
}

/* A list that cannot be written ends there. */
static int flush_list(struct list_file *file)
{
    if (!file->length)
        return 0;
    int error = descriptor_write(file->descriptor, file->lines, file->length, NULL);
    file->length = 0;
    file->is_kept = !error;
    return error;
}

enum status name_lists_flush(struct name_lists *lists, struct failure *why)
{
    pthread_mutex_lock(&lists->lock);
    for (int i = 0; lists->is_open && i < LIST_COUNT; i++) {
        int error = flush_list(&lists->files[i]);
        if (!lists->error)
            lists->error = error;
    }
    int error = lists->error;
    pthread_mutex_unlock(&lists->lock);
    const char *operation = lists->folder ? "write the name lists" : "number all names";
    return error ? fail_errno(why, lists->folder, operation, error) : STATUS_OK;
}
