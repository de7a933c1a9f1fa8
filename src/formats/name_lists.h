/* SPDX-License-Identifier: MIT */
/* The name lists of tracers (etmerlin-formats(5)), in both layouts: that of the format's
 * description, ID,NAME (of methods and fields ID,CLASS-ID,NAME), and that which tracers write,
 * NAME,ID. */
#ifndef ETMERLIN_FORMATS_NAME_LISTS_H
#define ETMERLIN_FORMATS_NAME_LISTS_H

#include "base/interrupt.h"
#include "base/status.h"
#include "formats/list_search.h"
#include "trace/names.h"

/* Lists that may be of another trace; each is the path of the first, or NULL. Zero-initialize
 * it; list_remarks_free ends it. */
struct list_remarks {
    char *doubtful; /* says no id, and several traces of ettrace are in its folder */
    char *tied;     /* says an id, and the trace has none */
};

/* Adds the names of the lists that are wanted (lists_search). Lines that begin with # are
 * comments. `interrupt` may be NULL. STATUS_SYNTAX: a line is malformed; STATUS_MEANING: an id
 * has two names, or a list has the id of another trace; or as lists_search. */
enum status name_lists_read(struct names *names, const struct lists_wanted *wanted,
                            const struct interrupt *interrupt, struct list_remarks *remarks,
                            struct failure *why) MUST_CHECK;

void list_remarks_free(struct list_remarks *remarks);

/* Calls `visit` with the path of each list that this would read. Ends with the first failure,
 * of `visit` or of finding. */
enum status name_lists_visit(const struct lists_wanted *wanted,
                             enum status (*visit)(void *context, const char *path,
                                                  struct failure *why),
                             void *context, struct failure *why) MUST_CHECK;

#endif
