/* SPDX-License-Identifier: MIT */
/* Finds the name lists of a trace (etmerlin-formats(5)). */
#ifndef ETMERLIN_FORMATS_LIST_SEARCH_H
#define ETMERLIN_FORMATS_LIST_SEARCH_H

#include "base/status.h"
#include "trace/names.h"
#include "trace/trace_mark.h"

#include <stdbool.h>
#include <stddef.h>

/* Which lists are wanted. */
struct lists_wanted {
    const char *paths; /* folders and files, separated by commas; NULL: those of the trace */
    const char *trace; /* NULL: standard input, which has no lists next to it */
    const struct trace_mark *mark; /* of the trace */
};

struct found_list {
    enum name_space space;
    char *path;
    bool is_named; /* the user named the file itself, not its folder: it may be a pipe */
};

/* Lists that were found. Zero-initialize it; found_lists_free ends it. */
struct found_lists {
    struct found_list *lists;
    size_t count;
    size_t capacity;
    struct failure denied; /* of the first folder whose lists may not be looked at */
};

/* Adds the lists that are wanted to *found. In a folder, lists are called class_list,
 * classs.list or class.list, method_list or methods.list, field_list or fields.list, and
 * site_list; the name of a file that is given must begin with class, method, field or site.
 * STATUS_MEANING: a folder has no list, or the name of a file does not show what the list
 * names. STATUS_IO: a folder that is given may not be searched.
 *
 * Where no paths are given there may be no lists. They are looked for in the folder that is
 * named like the trace, with .names in place of its suffixes; then in the first folder next to
 * the trace whose name ends in .names and whose lists have the id of the trace; then next to
 * the trace. The first of these folders that has lists is used. */
enum status lists_search(struct found_lists *found, const struct lists_wanted *wanted,
                         struct failure *why) MUST_CHECK;

/* Whether the folder of the file `path` has several traces that begin with a comment of
 * ettrace. */
bool lists_share_folder(const char *path);

void found_lists_free(struct found_lists *found);

#endif
