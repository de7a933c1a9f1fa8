/* SPDX-License-Identifier: MIT */
/* All lists are found before any is read: lists of types are read before the others, and lists
 * of sites after those of methods, since the described layout names a method by the id of its
 * class and a site by the id of its method. */
#include "formats/name_lists.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "io/lines.h"
#include "io/path.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A list that is being read. */
struct list {
    struct names *names;
    const struct found_list *from;
    const struct trace_mark *mark; /* of the trace */
    char id[TRACE_ID_DIGITS + 1];  /* of the trace of the list; empty: the list has none */
    enum { LAYOUT_UNKNOWN, LAYOUT_DESCRIBED, LAYOUT_TRACED } layout;
    struct lines *lines;
    struct line line; /* the latest; its number is 0 if none was read */
    bool is_cut;      /* it ends within a line */
};

static enum status list_reject(const struct list *list, const char *what, struct failure *why)
{
    return lines_reject(list->lines, &list->line, STATUS_SYNTAX, what, why);
}

static enum status reject_form(const struct list *list, struct failure *why)
{
    if (list->layout == LAYOUT_UNKNOWN)
        return list_reject(list, "A line of a name list must be ID,NAME or NAME,ID", why);
    if (list->layout == LAYOUT_TRACED)
        return list_reject(list, "A line of this list must be NAME,ID", why);
    if (list->from->space == NAMES_SITE)
        return list_reject(list, "A line of this list must be ID,METHOD-ID,LINE,TYPE", why);
    return list_reject(list,
                       list->from->space == NAMES_TYPE
                           ? "A line of this list must be ID,NAME"
                           : "A line of this list must be ID,CLASS-ID,NAME",
                       why);
}

/* Whether the bytes can be shown in a table: they are not empty and have no control characters.
 */
static bool is_name(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] < ' ' || text[i] == '\177')
            return false;
    return length > 0;
}

static enum status reject_second(const struct list *list, struct failure *why)
{
    return lines_reject(list->lines, &list->line, STATUS_MEANING,
                        "The id of this line has another name already", why);
}

/* Adds the name of `id`, which must not have another name already. */
static enum status add_name(struct list *list, uint64_t id, const char *name, size_t length,
                            struct failure *why)
{
    enum name_space space = list->from->space;
    struct name_parts former = names_find_parts(list->names, space, id);
    const struct name_parts wanted = {.own = name, .own_length = length};
    if (!former.own)
        return names_add(list->names, space, id, name, length, why);
    return name_parts_equal(&former, &wanted) ? STATUS_OK : reject_second(list, why);
}

/* Adds the name of a member of a class without a name, as CLASS-ID#MEMBER. */
static enum status add_member_of_id(struct list *list, uint64_t id, uint64_t class_id,
                                    const char *name, size_t length, struct failure *why)
{
    char digits[NUMBER_DIGITS + 1];
    digits[number_format(digits, class_id)] = '\0';
    char *full;
    int full_length = asprintf(&full, "%s#%.*s", digits, (int)length, name);
    if (full_length < 0)
        return fail_memory(why);
    enum status status = add_name(list, id, full, (size_t)full_length, why);
    free(full);
    return status;
}

/* Adds the name of a member as tracers write it, CLASS#MEMBER; a class without a name is shown
 * as its id. */
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
    const struct name_parts wanted = {owner.own, owner.own_length, name, length, 0};
    return name_parts_equal(&former, &wanted) ? STATUS_OK : reject_second(list, why);
}

/* Takes the next field, which a comma ends, off the text and reads it as a number. */
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

/* Adds the name of a site: the name of its method, or else the method's id, and the line in the
 * source, which is not known if it is 0. */
static enum status add_site(struct list *list, uint64_t id, uint64_t method, uint64_t line,
                            struct failure *why)
{
    char digits[NUMBER_DIGITS];
    struct name_parts former = names_find_parts(list->names, NAMES_SITE, id);
    if (!former.own)
        return names_add_line(list->names, NAMES_SITE, id, method, line, why);
    struct name_parts wanted = names_find_parts(list->names, NAMES_METHOD, method);
    if (!wanted.own) {
        wanted.own = digits;
        wanted.own_length = number_format(digits, method);
    }
    wanted.line = line;
    return name_parts_equal(&former, &wanted) ? STATUS_OK : reject_second(list, why);
}

static enum status read_site(struct list *list, struct failure *why)
{
    const char *text = list->line.text;
    size_t length = list->line.length;
    uint64_t id, method, line;
    if (!take_number(&text, &length, &id) || !take_number(&text, &length, &method) ||
        !take_number(&text, &length, &line) ||
        (length > 0 && !is_name(text, length))) /* the type may be missing */
        return reject_form(list, why);
    return add_site(list, id, method, line, why);
}

static enum status read_described(struct list *list, struct failure *why)
{
    if (list->from->space == NAMES_SITE)
        return read_site(list, why);
    const char *name = list->line.text;
    size_t length = list->line.length;
    bool is_member = list->from->space != NAMES_TYPE;
    uint64_t id, class_id = 0;
    if (!take_number(&name, &length, &id) ||
        (is_member && !take_number(&name, &length, &class_id)) || !is_name(name, length))
        return reject_form(list, why);
    return is_member ? add_member(list, id, class_id, name, length, why)
                     : add_name(list, id, name, length, why);
}

static enum status read_traced(struct list *list, struct failure *why)
{
    const char *comma = memrchr(list->line.text, ',', list->line.length);
    size_t length = comma ? (size_t)(comma - list->line.text) : 0;
    uint64_t id;
    if (!comma || number_parse(comma + 1, list->line.length - length - 1, &id) != NUMBER_OK ||
        !is_name(list->line.text, length))
        return reject_form(list, why);
    return add_name(list, id, list->line.text, length, why);
}

/* Finds out the layout from the first line: it has a number at its end or at its beginning. */
static void find_layout(struct list *list)
{
    const char *text = list->line.text;
    size_t length = list->line.length;
    const char *comma = memrchr(text, ',', length);
    uint64_t id;
    if (comma && number_parse(comma + 1, length - (size_t)(comma + 1 - text), &id) == NUMBER_OK)
        list->layout = LAYOUT_TRACED;
    if (take_number(&text, &length, &id))
        list->layout = LAYOUT_DESCRIBED;
}

/* Reads a comment, which may be the id of the trace that the list belongs to. */
static enum status read_comment(struct list *list, struct failure *why)
{
    if (!trace_mark_take_id(list->id, list->line.text, list->line.length) || !*list->mark->id ||
        strcmp(list->id, list->mark->id) == 0)
        return STATUS_OK;
    return fail_at(why, STATUS_MEANING, list->from->path, list->line.number,
                   "This list is of another trace: its id is %s, that of the trace is %s; "
                   "--names gives other lists",
                   list->id, list->mark->id);
}

/* Reads the line, unless it is empty. */
static enum status read_line(struct list *list, struct failure *why)
{
    if (list->line.length == 0)
        return STATUS_OK;
    if (*list->line.text == '#')
        return read_comment(list, why);
    if (list->line.length > NAMES_LONGEST)
        return list_reject(list, "The name is longer than 262144 bytes", why);
    if (list->layout == LAYOUT_UNKNOWN)
        find_layout(list);
    return list->layout == LAYOUT_DESCRIBED ? read_described(list, why)
                                            : read_traced(list, why);
}

static enum status reject_cut(struct list *list, struct failure *why)
{
    list->is_cut = true;
    return fail_at(why, STATUS_SYNTAX, list->from->path, list->line.number,
                   list->line.number > 0 ? "The list ends within this line"
                                         : "The list is empty");
}

/* Reads the last line, which has no end. It may be all that is left of a longer one. A list
 * that was written by hand may end so if names are the last in its lines, but not one of
 * ettrace, and no id: the part of an id is that of another name. */
static enum status read_last(struct list *list, struct failure *why)
{
    bool is_comment = *list->line.text == '#';
    if (list->layout == LAYOUT_UNKNOWN && !is_comment)
        find_layout(list);
    bool may_be_id = is_comment ? list->line.number == 1 : list->layout == LAYOUT_TRACED;
    if (lines_are_cut(list->lines) || *list->id || may_be_id)
        return reject_cut(list, why);
    enum status status = read_line(list, why);
    bool is_part = status == STATUS_SYNTAX || (status == STATUS_MEANING && !is_comment);
    return is_part ? reject_cut(list, why) : status;
}

static enum status read_lines(struct list *list, struct failure *why)
{
    enum status status;
    while ((status = lines_next(list->lines, &list->line, why)) == STATUS_OK) {
        status = list->line.has_end ? read_line(list, why) : read_last(list, why);
        if (status != STATUS_OK)
            break;
    }
    if (status != STATUS_END)
        return status;
    bool is_empty = list->line.number == 0 && list->mark->is_of_ettrace;
    if (is_empty)
        return reject_cut(list, why);
    list->is_cut = lines_are_cut(list->lines);
    return list->is_cut ? fail_at(why, STATUS_SYNTAX, list->from->path, 0,
                                  "The compressed list ends too early")
                        : STATUS_OK;
}

/* Records if it is not certain that a list belongs to the trace. */
static enum status remark(const struct list *list, struct list_remarks *remarks,
                          struct failure *why)
{
    bool is_tied = *list->id && !*list->mark->id;
    bool is_doubtful =
        !*list->id && list->mark->is_of_ettrace && lists_share_folder(list->from->path);
    char **path = is_tied ? &remarks->tied : is_doubtful ? &remarks->doubtful : NULL;
    if (path && !*path && !(*path = strdup(list->from->path)))
        return fail_memory(why);
    return STATUS_OK;
}

/* Moves the failure *fault to the remarks. */
static enum status add_fault(struct list_remarks *remarks, struct failure *fault,
                             struct failure *why)
{
    if (!ARRAY_RESERVE(remarks->faults, remarks->fault_capacity, remarks->fault_count + 1)) {
        failure_clear(fault);
        return fail_memory(why);
    }
    remarks->faults[remarks->fault_count++] = *fault;
    *fault = (struct failure){.status = STATUS_OK};
    return STATUS_OK;
}

/* Moves the failure *fault, for which names are missing, to the remarks. */
static enum status add_loss(struct list_remarks *remarks, struct failure *fault,
                            struct failure *why)
{
    fail_adding(fault, "; ids stand in place of the names that are missing");
    return add_fault(remarks, fault, why);
}

/* Whether the failure of a list is only worth a remark. If no line was read, it is about the
 * file, such as its compression. */
static bool may_pass(const struct list *list, bool is_wanted, enum status status)
{
    bool is_of_file =
        list->line.number == 0 && status != STATUS_INTERRUPTED && status != STATUS_MEMORY;
    return list->is_cut ||
           (!is_wanted && (is_of_file || status == STATUS_IO || status == STATUS_SYNTAX));
}

static enum status read_open(struct list *list, const struct interrupt *interrupt,
                             struct failure *why)
{
    const struct source_options how = {
        .interrupt = interrupt, .is_found = !list->from->is_named, .takes_cut = true};
    TRY(lines_open(&list->lines, list->from->path, &how, why));
    enum status status = read_lines(list, why);
    lines_close(list->lines);
    return status;
}

static enum status read_list(struct names *names, const struct found_list *from,
                             const struct lists_wanted *wanted,
                             const struct interrupt *interrupt, struct list_remarks *remarks,
                             struct failure *why)
{
    struct list list = {.names = names, .from = from, .mark = wanted->mark};
    struct failure fault = {.status = STATUS_OK};
    enum status status = read_open(&list, interrupt, &fault);
    if (status != STATUS_OK && may_pass(&list, wanted->paths, status))
        status = add_loss(remarks, &fault, why);
    else if (status != STATUS_OK)
        status = failure_move(why, &fault);
    return status == STATUS_OK && list.line.number > 0 ? remark(&list, remarks, why) : status;
}

/* Reads the lists that were found, in the order of their name spaces. */
static enum status read_found(struct names *names, struct found_lists *found,
                              const struct lists_wanted *wanted,
                              const struct interrupt *interrupt, struct list_remarks *remarks,
                              struct failure *why)
{
    static const enum name_space spaces[] = {NAMES_TYPE, NAMES_METHOD, NAMES_FIELD, NAMES_SITE};
    if (found->denied.status != STATUS_OK)
        TRY(found->count > 0 ? add_fault(remarks, &found->denied, why)
                             : add_loss(remarks, &found->denied, why));
    for (size_t space = 0; space < sizeof spaces / sizeof *spaces; space++)
        for (size_t i = 0; i < found->count; i++)
            if (found->lists[i].space == spaces[space])
                TRY(read_list(names, &found->lists[i], wanted, interrupt, remarks, why));
    return STATUS_OK;
}

enum status name_lists_read(struct names *names, const struct lists_wanted *wanted,
                            const struct interrupt *interrupt, struct list_remarks *remarks,
                            struct failure *why)
{
    struct found_lists found = {.lists = NULL};
    enum status status = lists_search(&found, wanted, why);
    if (status == STATUS_OK)
        status = read_found(names, &found, wanted, interrupt, remarks, why);
    found_lists_free(&found);
    return status;
}

void list_remarks_free(struct list_remarks *remarks)
{
    free(remarks->doubtful);
    free(remarks->tied);
    for (size_t i = 0; i < remarks->fault_count; i++)
        failure_clear(&remarks->faults[i]);
    free(remarks->faults);
    *remarks = (struct list_remarks){.doubtful = NULL};
}

enum status name_lists_visit(const struct lists_wanted *wanted,
                             enum status (*visit)(void *context, const char *path,
                                                  struct failure *why),
                             void *context, struct failure *why)
{
    struct found_lists found = {.lists = NULL};
    enum status status = lists_search(&found, wanted, why);
    for (size_t i = 0; i < found.count && status == STATUS_OK; i++)
        status = visit(context, found.lists[i].path, why);
    found_lists_free(&found);
    return status;
}
