/* SPDX-License-Identifier: MIT */
/* Numbers for the names of classes, methods, fields and allocating instructions, and the lists
 * of them. A list is on the disk before the records that use its numbers. */
#ifndef ETTRACE_NAMES_H
#define ETTRACE_NAMES_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct name_lists;

/* Opens the lists in the folder `folder`, which is made if it is not there; NULL: names are
 * numbered, and not written. STATUS_MEANING: there are lists already and `force` is false. */
enum status name_lists_open(struct name_lists **out, const char *folder, bool force,
                            struct failure *why) MUST_CHECK;

/* Each gives the number of a name, from 1; 0: no memory. Any thread may call them. */
uint32_t name_of_type(struct name_lists *lists, const char *name, size_t length);
uint32_t name_of_method(struct name_lists *lists, const char *owner, const char *name);
uint32_t name_of_field(struct name_lists *lists, const char *owner, const char *name);

/* A new number for an instruction of the method `method` at `line` that allocates a `type`. */
uint32_t name_of_site(struct name_lists *lists, uint32_t method, uint32_t line,
                      const char *type);

/* Writes out what is new. */
enum status name_lists_flush(struct name_lists *lists, struct failure *why) MUST_CHECK;

#endif
