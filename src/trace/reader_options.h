/* SPDX-License-Identifier: MIT */
/* How an input is to be read. */
#ifndef ETMERLIN_TRACE_READER_OPTIONS_H
#define ETMERLIN_TRACE_READER_OPTIONS_H

#include <stdbool.h>

/* What the last field of an Elephant Tracks record is (etmerlin-formats(5), "Two dialects"). */
enum dialect { DIALECT_AUTO, DIALECT_THREAD, DIALECT_TIME };

/* The order of the fields of an Elephant Tracks update: container, value and field, or, as
 * tracers of the second generation write them, value, field and container. */
enum update_order { UPDATE_ORDER_AUTO, UPDATE_ORDER_CONTAINER, UPDATE_ORDER_VALUE };

enum byte_order { BYTE_ORDER_AUTO, BYTE_ORDER_BIG, BYTE_ORDER_LITTLE };

struct reader_options {
    const char *format;             /* the name of a reader_class; NULL: detected */
    enum dialect dialect;           /* DIALECT_AUTO: detected */
    enum update_order update_order; /* UPDATE_ORDER_AUTO: container, value and field, but what
                                       looks like the other order is refused */
    bool lenient;                   /* pass over malformed lines and count them */
    bool deaths_from_free; /* take frees for deaths, where a format distinguishes frees by a
                              collector */
    bool keep_others; /* lenient, and make records of what is malformed or unknown, too; do not
                         look at whether time goes backwards */
    enum byte_order byte_order; /* of HATF, which does not record it; BYTE_ORDER_AUTO: detected,
                                   and big-endian if that fails */
    const char *type_sizes; /* file with the sizes of types for SELogger, which does not record
                               them; NULL: there is none */
    bool loads_as_updates;  /* of SELogger: take an object that a load finds in a field for
                               stored there */
    bool escape_edges; /* of SELogger: what an object of a library is given stays with it */
};

#endif
