/* SPDX-License-Identifier: MIT */
/* Numbers for fields, such that a store overwrites what another store put in the same field
 * (etmerlin-formats(5), "Fields of the records").
 *
 * An instruction names the class through which it accesses a field, not the one that declares
 * it. So fields of the same name and type count as one if their classes are on one chain of
 * superclasses.
 *
 * If letters of a name are lost, several fields may have what remains of it. If those counted
 * as one, a store to one would seem to remove what another holds, and objects would die too
 * early. So each instruction that names such a field has a field of its own, and objects may
 * die too late. That is right more often, too: of the fields of the Java library and of other
 * libraries, if their names had one length for each number of words, more would share their
 * name, type and class with another field than have several instructions that store to them. */
#ifndef ETMERLIN_FORMATS_SELOGGER_INDEX_FIELDS_H
#define ETMERLIN_FORMATS_SELOGGER_INDEX_FIELDS_H

#include "base/status.h"
#include "base/symbols.h"
#include "formats/selogger/index/loading.h"
#include "formats/selogger/index/types.h"

#include <stddef.h>
#include <stdint.h>

#define NO_FIELD UINT32_MAX

/* No instruction has this data id. */
#define NO_SITE UINT32_MAX

struct sel_field {
    uint32_t owner, name, type; /* symbols */
    uint32_t loader; /* of a static field whose owner's name several classes have: the symbol of
                        the loader of the code that accesses it; NO_SYMBOL: of any other
                        field, or that loader is not known */
    uint32_t site;   /* of a field whose name has lost letters: the data id of the instruction
                        that   accesses it; NO_SITE: of any other field */
};

/* Zero-initialize it; fields_free ends it. */
struct fields {
    struct symbols keys; /* the bytes of struct sel_field */
    uint32_t *same_as;   /* by field: the field that it is joined with, or itself; NULL: not
                            joined yet */
};

/* Sets *field to the number of the field with this key, which is added if it is new. */
enum status fields_add(struct fields *fields, const struct sel_field *key, uint32_t *field,
                       struct failure *why) MUST_CHECK;

/* Joins the fields that count as one, names all fields, and remarks if those that were joined
 * may be several that only share a name. To be called once, when all fields have been added. */
enum status fields_join(struct fields *fields, const struct types *types,
                        const struct loading *loading, struct failure *why) MUST_CHECK;

/* The number of `field` in records, which is above 0. */
static inline uint64_t fields_number(const struct fields *fields, uint32_t field)
{
    return (uint64_t)fields->same_as[field] + 1;
}

/* Releases what the fields own. */
void fields_free(struct fields *fields);

#endif
