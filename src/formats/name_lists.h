/* SPDX-License-Identifier: MIT */
/* The name lists of tracers (etmerlin(1), "Names"), in both layouts: that of the format's
 * description, ID,NAME (of methods and fields ID,CLASS-ID,NAME), and that which tracers write,
 * NAME,ID. */
#ifndef ETMERLIN_FORMATS_NAME_LISTS_H
#define ETMERLIN_FORMATS_NAME_LISTS_H

#include "base/interrupt.h"
#include "base/status.h"
#include "trace/names.h"

/* Adds the names of the lists at `places`, which are folders and files, separated by commas. In
 * a folder lists are called class_list, classs.list or class.list, method_list or methods.list,
 * and field_list or fields.list; the name of a file begins with class, method or field.
 * `interrupt` may be NULL. STATUS_SYNTAX: a line is malformed; STATUS_MEANING: an id has two
 * names, a folder has no list, or it is not known of a file what it names. */
enum status name_lists_read(struct names *names, const char *places,
                            const struct interrupt *interrupt, struct failure *why) MUST_CHECK;

/* Adds the names of the lists that are in the folder of the file `trace`, if there are any. */
enum status name_lists_read_beside(struct names *names, const char *trace,
                                   const struct interrupt *interrupt,
                                   struct failure *why) MUST_CHECK;

/* Calls `visit` with the path of each list that these two would read: at `places` or, if that
 * is NULL, beside `trace`. Ends with the first failure, of `visit` or of finding. */
enum status name_lists_visit(const char *places, const char *trace,
                             enum status (*visit)(void *context, const char *path,
                                                  struct failure *why),
                             void *context, struct failure *why) MUST_CHECK;

#endif
