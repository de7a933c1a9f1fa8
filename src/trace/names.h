/* SPDX-License-Identifier: MIT */
/* The names that belong to the ids of a trace. They make reports readable and mean nothing to
 * the heap. */
#ifndef ETMERLIN_TRACE_NAMES_H
#define ETMERLIN_TRACE_NAMES_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What an id is the number of. The same id means something else in each space. */
enum name_space {
    NAMES_TYPE,   /* the type of an allocation record */
    NAMES_METHOD, /* the method of a boundary record */
    NAMES_FIELD,  /* the field of an update */
    NAMES_SITE,   /* the site of an allocation record */
    NAMES_OWNER,  /* not in records: numbers for what the names of members begin with */
    NAMES_SPACES
};

/* The longest name, in bytes: the names of a class, a method and a descriptor, each of at most
 * 65535 bytes in a class file, fit. */
enum { NAMES_LONGEST = 256 * 1024 };

struct names;

/* Makes an empty list of names. The caller owns *out (names_free). */
enum status names_new(struct names **out, struct failure *why) MUST_CHECK;

/* Gives `id` the name of `length` bytes at `text`, without a NUL; it replaces the name that
 * `id` had. */
enum status names_add(struct names *names, enum name_space space, uint64_t id, const char *text,
                      size_t length, struct failure *why) MUST_CHECK;

/* Gives `id` the name OWNER#TEXT, where OWNER is the own part of the name of `owner_id`, which
 * is not copied; or TEXT alone if `owner_id` has no name. */
enum status names_add_member(struct names *names, enum name_space space, uint64_t id,
                             enum name_space owner_space, uint64_t owner_id, const char *text,
                             size_t length, struct failure *why) MUST_CHECK;

/* Gives `id` the name OWNER#TEXT, if the name of `other_id` begins with OWNER#; or TEXT alone.
 */
enum status names_add_sibling(struct names *names, enum name_space space, uint64_t id,
                              enum name_space other_space, uint64_t other_id, const char *text,
                              size_t length, struct failure *why) MUST_CHECK;

/* The parts of the name OWN or OWNER#OWN, each terminated by a NUL. */
struct name_parts {
    const char *owner; /* NULL: none */
    size_t owner_length;
    const char *own; /* NULL: there is no name */
    size_t own_length;
};

/* The parts of the name of `id`, valid until a name is added. `names` may be NULL. */
struct name_parts names_find_parts(const struct names *names, enum name_space space,
                                   uint64_t id);

/* The name of `id`, valid until the next call or until a name is added; NULL: it has none, or
 * `names` is NULL. Only one thread may call it; others may call names_find_parts. */
const char *names_find(const struct names *names, enum name_space space, uint64_t id);

/* Whether any id has a name; whether any in the space has one. For the second, `names` may be
 * NULL. */
bool names_exist(const struct names *names);
bool names_exist_in(const struct names *names, enum name_space space);

/* NULL is allowed. */
void names_free(struct names *names);

#endif
