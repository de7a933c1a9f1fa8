/* SPDX-License-Identifier: MIT */
/* Lists are found first and read then, those of types before the others: the described layout
 * names a method by the id of its class. */
#include "formats/name_lists.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "io/lines.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { NAMES_OF_LIST = 3 };

/* What lists are called in a folder: as described, and as tracers call them. */
static const struct {
    enum name_space space;
    const char *names[NAMES_OF_LIST]; /* up to a NULL */
} list_names[] = {
    {NAMES_TYPE, {"class_list", "classs.list", "class.list"}},
    {NAMES_METHOD, {"method_list", "methods.list", NULL}},
    {NAMES_FIELD, {"field_list", "fields.list", NULL}},
};

/* How the name of a file that was given by name begins. */
static const char *const prefixes[] = {"class", "method", "field"};

enum { LIST_KINDS = sizeof list_names / sizeof *list_names };

/* Lists that were found. */
struct found_list {
    enum name_space space;
    char *path;
};

struct found {
    struct found_list *lists;
    size_t count;
    size_t capacity;
};

static void found_free(struct found *found)
{
    for (size_t i = 0; i < found->count; i++)
        free(found->lists[i].path);
    free(found->lists);
}

/* Takes over `path`; NULL: there was no memory for it. */
static enum status add_found(struct found *found, enum name_space space, char *path,
                             struct failure *why)
{
    struct found_list *lists =
        array_grow(found->lists, &found->capacity, found->count + 1, sizeof *lists);
    if (lists)
        found->lists = lists;
    if (!lists || !path) {
        free(path);
        return fail_memory(why);
    }
    lists[found->count++] = (struct found_list){space, path};
    return STATUS_OK;
}

/* The path of `name` in the folder named by the first `length` bytes of `folder`. */
static char *join(const char *folder, size_t length, const char *name)
{
    char *path = NULL;
    const char *slash = length > 0 && folder[length - 1] != '/' ? "/" : "";
    return asprintf(&path, "%.*s%s%s", (int)length, folder, slash, name) < 0 ? NULL : path;
}

static bool exists(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0;
}

/* Finds the list of one kind in a folder, under the first of its names that is there. */
static enum status list_find_kind(struct found *found, size_t kind, const char *folder,
                                  size_t length, struct failure *why)
{
    const char *const *names = list_names[kind].names;
    for (size_t i = 0; i < NAMES_OF_LIST && names[i]; i++) {
        char *path = join(folder, length, names[i]);
        if (!path || exists(path))
            return add_found(found, list_names[kind].space, path, why);
        free(path);
    }
    return STATUS_OK;
}

static enum status find_in_folder(struct found *found, const char *folder, size_t length,
                                  struct failure *why)
{
    enum status status = STATUS_OK;
    for (size_t kind = 0; kind < LIST_KINDS && status == STATUS_OK; kind++)
        status = list_find_kind(found, kind, folder, length, why);
    return status;
}

static enum status find_file(struct found *found, const char *path, struct failure *why)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    for (size_t kind = 0; kind < LIST_KINDS; kind++)
        if (strncmp(name, prefixes[kind], strlen(prefixes[kind])) == 0)
            return add_found(found, list_names[kind].space, strdup(path), why);
    return fail_at(
        why, STATUS_MEANING, path, 0,
        "The name of a list must begin with class, method or field, which tells what "
        "it lists");
}

/* Finds what `place`, a folder or a file, has. */
static enum status list_find_place(struct found *found, const char *place, struct failure *why)
{
    struct stat about;
    size_t before = found->count;
    if (stat(place, &about) != 0)
        return fail_errno(why, place, "open", errno);
    if (!S_ISDIR(about.st_mode))
        return find_file(found, place, why);
    enum status status = find_in_folder(found, place, strlen(place), why);
    if (status == STATUS_OK && found->count == before)
        return fail_at(why, STATUS_MEANING, place, 0,
                       "There is no name list in this folder: no class_list, method_list, "
                       "field_list, classs.list, class.list, methods.list or fields.list");
    return status;
}

/* Finds what the places, separated by commas, have. */
static enum status find_places(struct found *found, const char *places, struct failure *why)
{
    enum status status = STATUS_OK;
    for (bool more = true; more && status == STATUS_OK;) {
        size_t length = strcspn(places, ",");
        char *place = strndup(places, length);
        status = place ? list_find_place(found, place, why) : fail_memory(why);
        free(place);
        more = places[length] == ',';
        places += length + 1;
    }
    return status;
}

/* A list that is being read. */
struct list {
    struct names *names;
    const struct found_list *from;
    enum { LAYOUT_UNKNOWN, LAYOUT_DESCRIBED, LAYOUT_TRACED } layout;
    const char *line;
    size_t length;
    uint64_t number;
};

static enum status list_reject(const struct list *list, const char *what, struct failure *why)
{
    char shown[TEXT_QUOTE_SIZE];
    return fail_at(why, STATUS_SYNTAX, list->from->path, list->number, "%s: %s", what,
                   text_quote(shown, list->line, list->length));
}

static enum status reject_form(const struct list *list, struct failure *why)
{
    if (list->layout == LAYOUT_UNKNOWN)
        return list_reject(list, "A line of a name list must be ID,NAME or NAME,ID", why);
    if (list->layout == LAYOUT_TRACED)
        return list_reject(list, "A line of this list must be NAME,ID", why);
    return list_reject(list,
                       list->from->space == NAMES_TYPE
                           ? "A line of this list must be ID,NAME"
                           : "A line of this list must be ID,CLASS-ID,NAME",
                       why);
}

/* Whether the bytes can be shown in a table: there are some, and no control characters. */
static bool list_is_name(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] < ' ' || text[i] == '\177')
            return false;
    return length > 0;
}

static enum status reject_second(const struct list *list, struct failure *why)
{
    char shown[TEXT_QUOTE_SIZE];
    return fail_at(why, STATUS_MEANING, list->from->path, list->number,
                   "The id of this line has another name already: %s",
                   text_quote(shown, list->line, list->length));
}

/* Names `id`, which must not have another name. */
static enum status list_add_name(struct list *list, uint64_t id, const char *name,
                                 size_t length, struct failure *why)
{
    enum name_space space = list->from->space;
    const char *former = names_find(list->names, space, id);
    if (!former)
        return names_add(list->names, space, id, name, length, why);
    return strlen(former) == length && memcmp(former, name, length) == 0
               ? STATUS_OK
               : reject_second(list, why);
}

/* Names a member of a class that has no name. */
static enum status add_member_of_id(struct list *list, uint64_t id, uint64_t class_id,
                                    const char *name, size_t length, struct failure *why)
{
    char digits[NUMBER_DIGITS + 1];
    digits[number_format(digits, class_id)] = '\0';
    char *full;
    int full_length = asprintf(&full, "%s#%.*s", digits, (int)length, name);
    if (full_length < 0)
        return fail_memory(why);
    enum status status = list_add_name(list, id, full, (size_t)full_length, why);
    free(full);
    return status;
}

/* Whether a name is that of the member of the class, however it was told. */
static bool is_member(const struct name_parts *former, const struct name_parts *owner,
                      const char *name, size_t length)
{
    if (former->owner == owner->own)
        return former->own_length == length && memcmp(former->own, name, length) == 0;
    return !former->owner && former->own_length == owner->own_length + 1 + length &&
           memcmp(former->own, owner->own, owner->own_length) == 0 &&
           former->own[owner->own_length] == '#' &&
           memcmp(former->own + owner->own_length + 1, name, length) == 0;
}

/* Names a member as tracers do, CLASS#MEMBER; a class without a name is shown as its id. */
static enum status add_member(struct list *list, uint64_t id, uint64_t class_id,
                              const char *name, size_t length, struct failure *why)
{
    enum name_space space = list->from->space;
    struct name_parts owner = names_find_parts(list->names, NAMES_TYPE, class_id);
    struct name_parts former = names_find_parts(list->names, space, id);
    if (!owner.own)
        return add_member_of_id(list, id, class_id, name, length, why);
    if (!former.own)
        return names_add_member(list->names, space, id, NAMES_TYPE, class_id, name, length,
                                why);
    return is_member(&former, &owner, name, length) ? STATUS_OK : reject_second(list, why);
}

/* Splits the next field, which a comma ends, off the text, and reads it as a number. */
static bool take_number(const char **text, size_t *length, uint64_t *number)
{
    const char *comma = memchr(*text, ',', *length);
    size_t digits = comma ? (size_t)(comma - *text) : 0;
    if (!comma || number_parse(*text, digits, number) != NUMBER_OK)
        return false;
    *text = comma + 1;
    *length -= digits + 1;
    return true;
}

static enum status read_described(struct list *list, struct failure *why)
{
    const char *name = list->line;
    size_t length = list->length;
    bool is_member = list->from->space != NAMES_TYPE;
    uint64_t id, class_id = 0;
    if (!take_number(&name, &length, &id) ||
        (is_member && !take_number(&name, &length, &class_id)) || !list_is_name(name, length))
        return reject_form(list, why);
    return is_member ? add_member(list, id, class_id, name, length, why)
                     : list_add_name(list, id, name, length, why);
}

static enum status read_traced(struct list *list, struct failure *why)
{
    const char *comma = memrchr(list->line, ',', list->length);
    size_t length = comma ? (size_t)(comma - list->line) : 0;
    uint64_t id;
    if (!comma || number_parse(comma + 1, list->length - length - 1, &id) != NUMBER_OK ||
        !list_is_name(list->line, length))
        return reject_form(list, why);
    return list_add_name(list, id, list->line, length, why);
}

/* The first line tells the layout: it has its number at one end. */
static void list_find_layout(struct list *list)
{
    const char *text = list->line;
    size_t length = list->length;
    const char *comma = memrchr(text, ',', length);
    uint64_t id;
    if (comma && number_parse(comma + 1, length - (size_t)(comma + 1 - text), &id) == NUMBER_OK)
        list->layout = LAYOUT_TRACED;
    if (take_number(&text, &length, &id))
        list->layout = LAYOUT_DESCRIBED;
}

/* Reads the line, unless it is empty. */
static enum status list_read_line(struct list *list, struct failure *why)
{
    if (list->length == 0)
        return STATUS_OK;
    if (list->length > NAMES_LONGEST)
        return list_reject(list, "The name is longer than 262144 bytes", why);
    if (list->layout == LAYOUT_UNKNOWN)
        list_find_layout(list);
    return list->layout == LAYOUT_DESCRIBED ? read_described(list, why)
                                            : read_traced(list, why);
}

static enum status read_lines(struct list *list, struct lines *lines, struct failure *why)
{
    struct line line;
    enum status status;
    while ((status = lines_next(lines, &line, why)) == STATUS_OK) {
        list->line = line.text;
        list->length = line.length;
        list->number = line.number;
        status = list_read_line(list, why);
        if (status != STATUS_OK)
            break;
    }
    return status == STATUS_END ? STATUS_OK : status;
}

static enum status read_list(struct names *names, const struct found_list *from,
                             const struct interrupt *interrupt, struct failure *why)
{
    struct list list = {.names = names, .from = from};
    struct lines *lines;
    enum status status = lines_open(&lines, from->path, interrupt, why);
    if (status != STATUS_OK)
        return status;
    status = read_lines(&list, lines, why);
    lines_close(lines);
    return status;
}

/* Reads what was found, space by space. */
static enum status read_found(struct names *names, const struct found *found,
                              const struct interrupt *interrupt, struct failure *why)
{
    enum status status = STATUS_OK;
    for (size_t kind = 0; kind < LIST_KINDS; kind++)
        for (size_t i = 0; i < found->count && status == STATUS_OK; i++)
            if (found->lists[i].space == list_names[kind].space)
                status = read_list(names, &found->lists[i], interrupt, why);
    return status;
}

enum status name_lists_read(struct names *names, const char *places,
                            const struct interrupt *interrupt, struct failure *why)
{
    struct found found = {.lists = NULL};
    enum status status = find_places(&found, places, why);
    if (status == STATUS_OK)
        status = read_found(names, &found, interrupt, why);
    found_free(&found);
    return status;
}

/* Finds the lists in the folder of the file `trace`. */
static enum status find_beside(struct found *found, const char *trace, struct failure *why)
{
    const char *slash = strrchr(trace, '/');
    return find_in_folder(found, trace, slash ? (size_t)(slash - trace) + 1 : 0, why);
}

enum status name_lists_read_beside(struct names *names, const char *trace,
                                   const struct interrupt *interrupt, struct failure *why)
{
    struct found found = {.lists = NULL};
    enum status status = find_beside(&found, trace, why);
    if (status == STATUS_OK)
        status = read_found(names, &found, interrupt, why);
    found_free(&found);
    return status;
}

enum status name_lists_visit(const char *places, const char *trace,
                             enum status (*visit)(void *context, const char *path,
                                                  struct failure *why),
                             void *context, struct failure *why)
{
    struct found found = {.lists = NULL};
    enum status status =
        places ? find_places(&found, places, why) : find_beside(&found, trace, why);
    for (size_t i = 0; i < found.count && status == STATUS_OK; i++)
        status = visit(context, found.lists[i].path, why);
    found_free(&found);
    return status;
}
