/* SPDX-License-Identifier: MIT */
/* The table of the kinds of records: what each is called, and which fields it has. */
#ifndef ETMERLIN_TRACE_RECORD_LAYOUT_H
#define ETMERLIN_TRACE_RECORD_LAYOUT_H

#include "trace/record.h"

#include <stdbool.h>
#include <stddef.h>

/* The meaning of a field. */
enum field_role {
    ROLE_NEW_OBJECT,  /* the object that the record allocates */
    ROLE_OBJECT,      /* an object that the record names, and thereby uses; 0: none */
    ROLE_DEAD_OBJECT, /* the object that dies */
    ROLE_TYPE,
    ROLE_METHOD,
    ROLE_FIELD,
    ROLE_SITE,
    ROLE_NUMBER, /* a quantity */
    ROLE_THREAD,
    ROLE_TIME,
    ROLE_THREAD_OR_TIME /* a time in a trace that has explicit times, else a thread */
};

struct record_field {
    const char *name; /* in messages; NULL: "thread" or "time", whichever the trace has */
    size_t offset;    /* of the uint64_t in struct record */
    enum field_role role;
    bool required; /* it must not be 0 */
};

enum { RECORD_FIELDS_MAX = 6 };

/* What a kind of record is called and made of. */
struct record_layout {
    uint8_t kind; /* its letter: enum record_kind */
    uint8_t count;
    const char *plural;
    struct record_field fields[RECORD_FIELDS_MAX]; /* `count`, in the order of a line */
};

/* All kinds, in the order in which reports list them. */
extern const struct record_layout record_layouts[];
extern const size_t record_layout_count;

/* The layout of `kind`; NULL: there is no such kind. */
const struct record_layout *record_layout_find(unsigned kind);

/* Kinds are less than this. */
enum { RECORD_KINDS = 128 };

/* Sets by_kind[kind] to the layout of each kind, or to NULL if there is no such kind, for code
 * that looks up the layout of each record. */
void record_layouts_by_kind(const struct record_layout *by_kind[RECORD_KINDS]);

/* The members of struct record that can name an object. */
enum {
    RECORD_NAMES_FIRST = 1, /* object, receiver, container */
    RECORD_NAMES_SECOND = 2 /* exception, value */
};

/* Sets names[kind] to the set of those members that name or allocate an object in records of
 * each kind; for deaths it is empty. */
void record_names_by_kind(uint8_t names[RECORD_KINDS]);

enum { RECORD_TITLE_SIZE = 32 };

/* Writes the title of the records of a kind in reports, such as "N objects allocated", to
 * `out`. Returns `out`. */
const char *record_title(char out[RECORD_TITLE_SIZE], const struct record_layout *layout);

/* The member of `record` for a field of its kind. */
static inline uint64_t *record_at(struct record *record, const struct record_field *field)
{
    return (uint64_t *)((char *)record + field->offset);
}

static inline uint64_t record_value(const struct record *record,
                                    const struct record_field *field)
{
    return *(const uint64_t *)((const char *)record + field->offset);
}

#endif
