/* SPDX-License-Identifier: MIT */
/* The strings of a heap dump: the names of classes, methods and fields. Each is written once,
 * with an id. */
#ifndef ETMERLIN_REPORT_GRAPH_DUMP_NAMES_H
#define ETMERLIN_REPORT_GRAPH_DUMP_NAMES_H

#include "report/graph/heap_classes.h"

/* Zero-initialize it, but for `hprof` and `names`; dump_names_free ends it. A failure to
 * write is kept in hprof->print->status; all others are only returned. */
struct dump_names {
    struct hprof *hprof;              /* what they are written to */
    const struct names *names;        /* of the trace; NULL: there are none */
    struct symbols strings;           /* by id, less 1 */
    struct map own_names, signatures; /* of methods: where a part begins -> its string */
    uint64_t *fields; /* strings: of each class those of the fields, then of static ones */
    size_t field_count, field_capacity;
};

/* Returns the id of a string, which is put unless it has been before. */
uint64_t dump_names_put(struct dump_names *names, const char *text, size_t length);

/* Puts WHAT#ID, in place of a missing name; returns the id of the string. */
uint64_t dump_names_put_number(struct dump_names *names, const char *what, uint64_t id);

/* Puts the name of a class as virtual machines spell it: java/lang/String, [I,
 * [Ljava/lang/String;. Sets *string to its id. */
enum status dump_names_put_class(struct dump_names *names, const char *name, bool is_array,
                                 uint64_t *string) MUST_CHECK;

/* Sets *own and *signature to the ids of the parts of a member's name within its class. */
enum status dump_names_put_member(struct dump_names *names, const struct member_name *name,
                                  uint64_t *own, uint64_t *signature,
                                  struct failure *why) MUST_CHECK;

/* Appends the names of the fields of a class to names->fields, in the order in which they are
 * put. */
enum status dump_names_add_fields(struct dump_names *names, const struct heap_class *class_of,
                                  struct failure *why) MUST_CHECK;

void dump_names_free(struct dump_names *names);

#endif
