/* SPDX-License-Identifier: MIT */
/* Numbers for the names of classes, methods, fields and allocating instructions, and the lists
 * of them. A list is written before the records that use its numbers. */
#ifndef ETTRACE_NAMES_H
#define ETTRACE_NAMES_H

#include "places.h"

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct name_lists;

/* Begins lists for the folder `folder`, which stay in memory until they are created. NULL:
 * names are numbered, but not kept. */
enum status name_lists_open(struct name_lists **out, const char *folder,
                            struct failure *why) MUST_CHECK;

/* Makes the folder, if it does not exist, and the files under temporary names; each begins with
 * the line `first`. After a failure, call name_lists_drop. */
enum status name_lists_create(struct name_lists *lists, const char *first,
                              struct failure *why) MUST_CHECK;

/* Gives the files their names (fresh_name). After a failure, call name_lists_drop. */
enum status name_lists_name(struct name_lists *lists, const struct replacing *replacing,
                            struct failure *why) MUST_CHECK;

/* The files keep their names, and may be written from now on. */
void name_lists_keep(struct name_lists *lists);

/* Removes what has been made, and puts back what was replaced (fresh_drop). */
void name_lists_drop(struct name_lists *lists);

/* Each gives the number of a name, from 1; 0: no memory, which name_lists_flush reports. Any
 * thread may call them. The name of a field is NAME.TYPE, with the descriptor of the type,
 * since a class may have two fields of one name; the list has the name alone. */
uint32_t name_of_type(struct name_lists *lists, const char *name, size_t length);
uint32_t name_of_method(struct name_lists *lists, const char *owner, const char *name);
uint32_t name_of_field(struct name_lists *lists, const char *owner, const char *name);

/* Whether the class of the method with that number has a name that begins so. */
bool name_begins_method(struct name_lists *lists, uint32_t method, const char *beginning);

/* The first of `count` new numbers in a row for instructions that allocate, and puts one of
 * them into the list: that of an instruction of the method `method` at `line` that allocates a
 * `type`. */
uint32_t name_new_sites(struct name_lists *lists, uint32_t count);
void name_site(struct name_lists *lists, uint32_t number, uint32_t method, uint32_t line,
               const char *type);

/* Writes out what is new, once the files have their names. STATUS_IO: names are missing in the
 * lists, or numbers in the trace, since this call or an earlier one. */
enum status name_lists_flush(struct name_lists *lists, struct failure *why) MUST_CHECK;

#endif
