/* SPDX-License-Identifier: MIT */
/* The names that belong to the ids of a trace. They make reports readable and mean nothing to
 * the heap. */
#ifndef ETMERLIN_TRACE_NAMES_H
#define ETMERLIN_TRACE_NAMES_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What ids number; the same id names something else in each space. */
enum name_space {
    NAMES_TYPE,   /* the type of an allocation record */
    NAMES_METHOD, /* of a boundary record */
    NAMES_FIELD,  /* of an update */
    NAMES_SITE,   /* the site of an allocation record */
    NAMES_OWNER,  /* no ids of records: what names of members begin with */
    NAMES_SPACES
};

/* Names need not be longer, in bytes: those of a class, a method and a descriptor, of at most
 * 65535 bytes each in a class file, fit. */
enum { NAMES_LONGEST = 256 * 1024 };

struct names;

/* Without any name yet. The caller owns *out (names_free). */
enum status names_new(struct names **out, struct failure *why) MUST_CHECK;

/* Names `id` with the `length` bytes at `text`, which have no NUL; a name that it had is
 * replaced. */
enum status names_add(struct names *names, enum name_space space, uint64_t id, const char *text,
                      size_t length, struct failure *why) MUST_CHECK;

/* Names `id` OWNER#TEXT, where OWNER is the name of `owner_id` without that of an owner of its
 * own, which is not copied; or TEXT alone where `owner_id` has no name. */
enum status names_add_member(struct names *names, enum name_space space, uint64_t id,
                             enum name_space owner_space, uint64_t owner_id, const char *text,
                             size_t length, struct failure *why) MUST_CHECK;

/* Names `id` with the text, after OWNER# where the name of `other_id` begins so. */
enum status names_add_sibling(struct names *names, enum name_space space, uint64_t id,
                              enum name_space other_space, uint64_t other_id, const char *text,
                              size_t length, struct failure *why) MUST_CHECK;

/* The parts of a name, each with a NUL after it: OWN, or OWNER#OWN. */
struct name_parts {
    const char *owner; /* NULL: none */
    size_t owner_length;
    const char *own; /* NULL: there is no name */
    size_t own_length;
};

/* The name of `id` in parts, good until a name is added. `names` may be NULL. */
struct name_parts names_find_parts(const struct names *names, enum name_space space,
                                   uint64_t id);

/* The name of `id`, good until the next call or until a name is added; NULL: it has none, or
 * `names` is NULL. To be called by one thread; others may call names_find_parts. */
const char *names_find(const struct names *names, enum name_space space, uint64_t id);

/* Whether any id has a name; whether any in the space has, of which `names` may be NULL. */
bool names_exist(const struct names *names);
bool names_exist_in(const struct names *names, enum name_space space);

/* NULL is allowed. */
void names_free(struct names *names);

#endif
