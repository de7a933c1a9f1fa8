/* SPDX-License-Identifier: MIT */
/* Where the name lists of a trace are (etmerlin-formats(5)). */
#ifndef ETMERLIN_FORMATS_LIST_SEARCH_H
#define ETMERLIN_FORMATS_LIST_SEARCH_H

#include "base/status.h"
#include "trace/names.h"
#include "trace/trace_mark.h"

#include <stdbool.h>
#include <stddef.h>

/* The lists that are wanted. */
struct lists_wanted {
    const char *paths; /* folders and files, separated by commas; NULL: those of the trace */
    const char *trace; /* NULL: standard input, which no lists are next to */
    const struct trace_mark *mark; /* of the trace */
};

struct found_list {
    enum name_space space;
    char *path;
    bool is_named; /* the file itself was given, not its folder: it may be a pipe */
};

/* Lists that were found. Zero-initialize it; found_lists_free ends it. */
struct found_lists {
    struct found_list *lists;
    size_t count;
    size_t capacity;
};

/* Adds the lists at the paths that are wanted. In a folder lists are called class_list,
 * classs.list or class.list, method_list or methods.list, and field_list or fields.list; the
 * name of a file begins with class, method, field or site. STATUS_MEANING: a folder has no
 * list, or it is not known of a file what it names.
 *
 * Where no paths are given there may be none: they are looked for in the folder called as the
 * trace without its suffixes and with .names; else in a folder next to the trace that ends in
 * .names and has lists with the id of the trace; else next to the trace. The first of these
 * that has lists is taken. */
enum status lists_search(struct found_lists *found, const struct lists_wanted *wanted,
                         struct failure *why) MUST_CHECK;

/* Whether several traces that begin with a comment of ettrace are in the folder of `path`. */
bool lists_share_folder(const char *path);

void found_lists_free(struct found_lists *found);

#endif
