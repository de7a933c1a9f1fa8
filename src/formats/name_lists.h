/* SPDX-License-Identifier: MIT */
/* Reads the name lists of tracers (etmerlin-formats(5)) in both layouts: that of the format's
 * description, ID,NAME (for methods and fields ID,CLASS-ID,NAME), and that which tracers write,
 * NAME,ID. */
#ifndef ETMERLIN_FORMATS_NAME_LISTS_H
#define ETMERLIN_FORMATS_NAME_LISTS_H

#include "base/status.h"
#include "formats/list_search.h"
#include "trace/names.h"

/* What is to be said of lists: each of the first two members is the path of the first list that
 * may belong to another trace, or NULL. Zero-initialize it; list_remarks_free ends it. */
struct list_remarks {
    char *doubtful; /* the list has no id, and its folder has several traces of ettrace */
    char *tied;     /* the list has an id, and the trace has none */
    struct failure *faults; /* why the names of lists, or some of them, are missing */
    size_t fault_count, fault_capacity;
};

/* Adds the names in the lists that are wanted (lists_search) to *names, and sets *remarks.
 * Lines that begin with # are comments. `interrupt` may be NULL.
 *
 * A list that ends within a line (a disk was full, say) has the names before that line, and a
 * fault. So has one with another fault, such as a malformed line or no permission to read it,
 * if no paths are wanted: names are not the data, and the user has not asked for this list.
 * Otherwise STATUS_SYNTAX: a line is malformed. STATUS_MEANING in either case: an id has two
 * names, or a list has the id of another trace; or as for lists_search. */
enum status name_lists_read(struct names *names, const struct lists_wanted *wanted,
                            const struct interrupt *interrupt, struct list_remarks *remarks,
                            struct failure *why) MUST_CHECK;

void list_remarks_free(struct list_remarks *remarks);

/* Calls `visit` with the path of each list that name_lists_read would read. Ends with the first
 * failure, of `visit` or of the search. */
enum status name_lists_visit(const struct lists_wanted *wanted,
                             enum status (*visit)(void *context, const char *path,
                                                  struct failure *why),
                             void *context, struct failure *why) MUST_CHECK;

#endif
