/* SPDX-License-Identifier: MIT */
/* Numbers for fields, such that a store overwrites what another one stored in the same field
 * (etmerlin-formats(5), "Fields of the records").
 *
 * An instruction names the class through which it reaches a field, not the one that declares
 * it. So fields of the same name and type are one when their classes lie on one chain of
 * superclasses. */
#ifndef ETMERLIN_FORMATS_SELOGGER_INDEX_FIELDS_H
#define ETMERLIN_FORMATS_SELOGGER_INDEX_FIELDS_H

#include "base/status.h"
#include "base/symbols.h"
#include "formats/selogger/index/loading.h"
#include "formats/selogger/index/types.h"

#include <stddef.h>
#include <stdint.h>

#define NO_FIELD UINT32_MAX

struct sel_field {
    uint32_t owner, name, type; /* symbols */
    uint32_t loader; /* of a static field: the same, NO_SYMBOL if the owner is the only class of
                        its name */
};

/* Zero-initialize it; fields_free ends it. */
struct fields {
    struct symbols keys; /* struct sel_field, as bytes */
    uint32_t *same_as;   /* by field: the one that stands for it; NULL: not joined yet */
};

/* Sets *field to the number of this field. */
enum status fields_add(struct fields *fields, const struct sel_field *key, uint32_t *field,
                       struct failure *why) MUST_CHECK;

/* To be called when all fields have been added: finds out which are one, names them, and notes
 * which could be several that only share a name. */
enum status fields_join(struct fields *fields, const struct types *types,
                        const struct loading *loading, struct failure *why) MUST_CHECK;

/* The number, above 0, of `field` in records. */
static inline uint64_t fields_number(const struct fields *fields, uint32_t field)
{
    return (uint64_t)fields->same_as[field] + 1;
}

/* Releases what the fields own. */
void fields_free(struct fields *fields);

#endif
