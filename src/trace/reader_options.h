/* SPDX-License-Identifier: MIT */
/* How an input is to be read. */
#ifndef ETMERLIN_TRACE_READER_OPTIONS_H
#define ETMERLIN_TRACE_READER_OPTIONS_H

#include <stdbool.h>

/* What the last field of an Elephant Tracks record is (etmerlin-formats(5), "Two dialects"). */
enum dialect { DIALECT_AUTO, DIALECT_THREAD, DIALECT_TIME };

/* The order of the fields of an Elephant Tracks update: container, value, field; or value,
 * field, container, as tracers of the second generation write them. */
enum update_order { UPDATE_ORDER_AUTO, UPDATE_ORDER_CONTAINER, UPDATE_ORDER_VALUE };

enum byte_order { BYTE_ORDER_AUTO, BYTE_ORDER_BIG, BYTE_ORDER_LITTLE };

struct reader_options {
    const char *format;   /* the name of a reader_class; NULL: detected */
    enum dialect dialect; /* DIALECT_AUTO: detected */
    /* UPDATE_ORDER_AUTO: container, value, field; but what looks like the other order is
     * refused. */
    enum update_order update_order;
    bool lenient;          /* pass over malformed lines and count them */
    bool deaths_from_free; /* take frees for deaths, where a format distinguishes frees by a
                              collector */
    /* Lenient, and also make records of malformed and unknown lines, and do not check whether
     * time goes backwards. */
    bool keep_others;
    enum byte_order byte_order; /* of HATF, which does not record it; BYTE_ORDER_AUTO: detected,
                                   and big-endian if that fails */
    const char *type_sizes; /* file with the sizes of types for SELogger, which does not record
                               them; NULL: there is none */
    /* SELogger: take what a load finds in a field, an object or null, as stored there. */
    bool loads_as_updates;
    /* SELogger: objects that are passed to an object of a library are stored in it. */
    bool escape_edges;
};

#endif
