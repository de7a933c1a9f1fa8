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
    NAMES_SPACES
};

struct names;

/* Without any name yet. The caller owns *out (names_free). */
enum status names_new(struct names **out, struct failure *why) MUST_CHECK;

/* Names `id` with the `length` bytes at `text`, which have no NUL; a name that it had is
 * replaced. */
enum status names_add(struct names *names, enum name_space space, uint64_t id, const char *text,
                      size_t length, struct failure *why) MUST_CHECK;

/* The name of `id`, good until a name is added; NULL: it has none, or `names` is NULL. */
const char *names_find(const struct names *names, enum name_space space, uint64_t id);

/* Whether any id has a name. */
bool names_exist(const struct names *names);

/* NULL is allowed. */
void names_free(struct names *names);

#endif
