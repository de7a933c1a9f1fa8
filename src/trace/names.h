/* SPDX-License-Identifier: MIT */
/* The names that belong to the ids of a trace. They make reports readable and mean nothing to
 * the heap. */
#ifndef ETMERLIN_TRACE_NAMES_H
#define ETMERLIN_TRACE_NAMES_H

#include "base/map.h"
#include "base/number.h"
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

/* Gives `id` the name of `method`, or the method's id if that has no name, and the line in the
 * source (0: not known) after a colon. The name of the method is not copied. */
enum status names_add_line(struct names *names, enum name_space space, uint64_t id,
                           uint64_t method, uint64_t line, struct failure *why) MUST_CHECK;

/* The parts of the name OWN or OWNER#OWN, each terminated by a NUL, with :LINE after it if
 * there is a line. Texts that are not names may be in such parts without the NUL. */
struct name_parts {
    const char *owner; /* NULL: none */
    size_t owner_length;
    const char *own; /* NULL: there is no name */
    size_t own_length;
    uint64_t line; /* 0: none */
};

/* The parts of the name of `id`, valid until a name is added. `names` may be NULL. */
struct name_parts names_find_parts(const struct names *names, enum name_space space,
                                   uint64_t id);

/* Whether both names are the same text, whatever their parts are. */
bool name_parts_equal(const struct name_parts *a, const struct name_parts *b);

/* How many bytes of a class, and of a member, are shown at most: a name may be long, and tables
 * repeat it in each row. */
enum { NAMES_SHOWN = 1000 };

/* The longest name that is shown: OWNER#OWN:LINE, without a NUL. */
enum { NAMES_SHOWN_WHOLE = 2 * NAMES_SHOWN + 1 + 1 + NUMBER_DIGITS };

/* Writes a name, which there is, as it is shown: a class, and a member, of more than
 * NAMES_SHOWN bytes as its beginning, "...", and a hash of all of it in 16 digits, so that
 * different names stay different. Returns the length, at most NAMES_SHOWN_WHOLE; there is no
 * NUL. */
size_t name_parts_show(char *out, const struct name_parts *parts);

/* The name of `id` as it is shown, valid until the next call or until a name is added; NULL: it
 * has none, or `names` is NULL. Only one thread may call it; others may call names_find_parts.
 */
const char *names_find(const struct names *names, enum name_space space, uint64_t id);

/* Whether any id has a name; whether any in the space has one. For the second, `names` may be
 * NULL. */
bool names_exist(const struct names *names);
bool names_exist_in(const struct names *names, enum name_space space);

/* NULL is allowed. */
void names_free(struct names *names);

/* Dense numbers, 0, 1, 2, ..., for names, in the order in which they are first added. A name is
 * its whole text, whatever its parts are; the caller keeps it. Zero-initialize it;
 * name_index_free ends it. */
struct name_index {
    struct map numbers; /* a hash, or the next free one -> number, and 1 */
    uint32_t count;     /* of names */
};

/* The names that have been added, which the caller keeps. */
struct indexed_names {
    struct name_parts (*name_of)(const void *context, uint32_t number);
    const void *context;
};

/* Sets *number to that of a name, which there is. A new one gets the number `count`, which
 * grows: the caller has to keep it. STATUS_LIMIT: there are more than 2^32-1 names. */
enum status name_index_add(struct name_index *index, const struct indexed_names *names,
                           const struct name_parts *name, uint32_t *number,
                           struct failure *why) MUST_CHECK;

void name_index_free(struct name_index *index);

#endif
