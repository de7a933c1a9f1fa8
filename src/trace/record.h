/* SPDX-License-Identifier: MIT */
/* The record model: every trace format is read into these records, of these kinds; and the
 * table of the kinds: what each is called, and which fields it has.
 *
 * The letters are those of Elephant Tracks (Ricci, Guyer, Moss: "Elephant Tracks: portable
 * production of complete and precise GC traces", ISMM 2013). */
#ifndef ETMERLIN_TRACE_RECORD_H
#define ETMERLIN_TRACE_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum record_kind {
    RECORD_OBJECT = 'N',         /* object allocated */
    RECORD_ARRAY = 'A',          /* array allocated */
    RECORD_INITIAL = 'I',        /* object of the initial heap */
    RECORD_PREEXISTING = 'P',    /* object that was there before the tracer */
    RECORD_VM = 'V',             /* object allocated by the virtual machine */
    RECORD_ENTRY = 'M',          /* method entered */
    RECORD_EXIT = 'E',           /* method left normally */
    RECORD_EXCEPTION_EXIT = 'X', /* method left by an exception */
    RECORD_THROW = 'T',          /* exception thrown */
    RECORD_CATCH = 'H',          /* exception caught */
    RECORD_UPDATE = 'U',         /* container.field = value */
    RECORD_WITNESS = 'W',        /* object accessed */
    RECORD_DEATH = 'D',          /* object died */
};

/* Kinds of lines that are no records; a reader delivers them only when asked to keep them. */
enum {
    RECORD_UNKNOWN = '?',  /* a record letter that the format does not have */
    RECORD_MALFORMED = '!' /* anything else */
};

/* Kinds of lines about reference objects, those of java.lang.ref. They have the form of
 * records, but no effect on lives: they name objects without using them. A reader counts them,
 * and delivers them only when asked to. */
enum {
    RECORD_REFERENCE = 'F', /* a reference object refers to its referent */
    RECORD_CLEARED = 'K'    /* a reference object refers to nothing any more */
};

/* The kinds of reference objects, from the strongest to the weakest. */
enum reference_kind {
    REFERENCE_SOFT = 1,
    REFERENCE_WEAK,
    REFERENCE_FINAL,
    REFERENCE_PHANTOM,
    REFERENCE_KINDS
};

/* Who has cleared a reference object. */
enum clearing_cause { CLEARED_BY_COLLECTOR = 1, CLEARED_BY_PROGRAM, CLEARING_CAUSES };

/* How many lines about reference objects there are, by their kind. */
struct reference_counts {
    uint64_t objects[REFERENCE_KINDS];
    uint64_t cleared[REFERENCE_KINDS][CLEARING_CAUSES];
};

/* What is wrong with a malformed line. */
enum record_fault {
    FAULT_LINE, /* the line as a whole: its length, its letter, its number of fields, or a NUL
                   byte */
    FAULT_NO_NUMBER,   /* a field is not a number */
    FAULT_TOO_LARGE,   /* a field does not fit 64 bits */
    FAULT_NEGATIVE,    /* a size, length or time is negative */
    FAULT_NEGATIVE_ID, /* an id is negative */
    FAULT_NO_OBJECT    /* 0 where there must be an object */
};

/* One record, in a cache line. The comments of the fields, and record_layouts, say which
 * kinds have them; the other fields of a record are unspecified. Object id 0 is null, or
 * "static" as a container. */
struct record {
    uint8_t kind;        /* enum record_kind */
    uint8_t marks;       /* of a record in a spool: for its user */
    uint32_t line;       /* its line, counted from 0 at the first line of the batch */
    uint32_t begin, end; /* the record's bytes in the batch's text, its line end included */
    union {
        uint64_t object;    /* N A I P V W D; E: 0 */
        uint64_t receiver;  /* M X T H */
        uint64_t reference; /* F K */
        uint64_t container; /* U */
    };
    union {
        uint64_t size;         /* N A I P V, bytes */
        uint64_t exception;    /* X T H */
        uint64_t value;        /* U */
        uint64_t referent;     /* F */
        uint64_t cause;        /* K: enum clearing_cause */
        uint64_t death_thread; /* D */
    };
    union {
        uint64_t type;     /* N A I P V */
        uint64_t method;   /* M E X T H */
        uint64_t field;    /* U */
        uint64_t class_id; /* W */
        uint64_t strength; /* F K: enum reference_kind */
        uint64_t fault;    /* malformed: enum record_fault */
    };
    union {
        uint64_t thread; /* all but D, of a trace that has threads */
        uint64_t time;   /* D; all, of a trace that has explicit times */
    };
    uint64_t site;   /* N A I P V */
    uint64_t length; /* N A I P V, elements */
};

_Static_assert(sizeof(struct record) == 64, "a record should fill a cache line");

/* Whether `kind` begins the life of an object: it allocates one, or says that one was there
 * before. */
static inline int record_is_allocation(unsigned kind)
{
    return kind == RECORD_OBJECT || kind == RECORD_ARRAY || kind == RECORD_INITIAL ||
           kind == RECORD_PREEXISTING || kind == RECORD_VM;
}

/* Whether `kind` begins a prior object: one that was there before the trace, which allocates
 * nothing. */
static inline int record_is_prior(unsigned kind)
{
    return kind == RECORD_INITIAL || kind == RECORD_PREEXISTING;
}

/* Whether `kind` is a method boundary, at which the logical clock ticks. */
static inline int record_is_boundary(unsigned kind)
{
    return kind == RECORD_ENTRY || kind == RECORD_EXIT || kind == RECORD_EXCEPTION_EXIT;
}

/* Whether `kind` is that of a line about a reference object. */
static inline int record_is_about_reference(unsigned kind)
{
    return kind == RECORD_REFERENCE || kind == RECORD_CLEARED;
}

/* Adds the line to *counts, if it is about a reference object. */
void reference_counts_add(struct reference_counts *counts, const struct record *record);

/* Whether there are any such lines. */
bool reference_counts_any(const struct reference_counts *counts);

/* Adds the numbers of *more to *counts. */
void reference_counts_join(struct reference_counts *counts,
                           const struct reference_counts *more);

/* The meaning of a field. */
enum field_role {
    ROLE_NEW_OBJECT,  /* the object that the record allocates */
    ROLE_OBJECT,      /* an object that the record names, and thereby uses; 0: none */
    ROLE_DEAD_OBJECT, /* the object that dies */
    ROLE_REFERENCE,   /* an object that the line names without using it */
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

/* The layout of `kind`, also of those that are not in record_layouts: lines about reference
 * objects. NULL: there is no such kind. */
const struct record_layout *record_layout_find(unsigned kind);

/* Kinds are less than this. */
enum { RECORD_KINDS = 128 };

/* Sets by_kind[kind] to what record_layout_find returns for each kind, for code that looks up
 * the layout of each record. */
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
