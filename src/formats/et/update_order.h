/* SPDX-License-Identifier: MIT */
/* Distinguishes the orders of an update's fields: container, value and field, and the order of
 * the second generation of tracers, value, field and container (etmerlin-formats(5),
 * "Relatives"). Nothing in a trace says which it is, so the numbers themselves must. */
#ifndef ETMERLIN_FORMATS_ET_UPDATE_ORDER_H
#define ETMERLIN_FORMATS_ET_UPDATE_ORDER_H

#include "base/map.h"
#include "base/status.h"
#include "trace/reader_options.h"
#include "trace/record.h"

#include <stdbool.h>

/* What the records so far say. Zero-initialize it; update_evidence_free ends it. */
struct update_evidence {
    struct map allocated;
    uint64_t least;      /* of the objects allocated */
    uint64_t updates;    /* all */
    uint64_t container;  /* of them, those that container, value, field alone explains */
    uint64_t value;      /* those that value, field, container explains better */
    uint64_t clear;      /* of these, those whose field is less than any object */
    uint64_t value_line; /* the first of these */
};

/* Takes note of a record in line `line`, which was read as container, value, field. */
enum status update_look_at(struct update_evidence *evidence, const struct record *record,
                           uint64_t line, struct failure *why) MUST_CHECK;

/* Whether enough updates have been seen. */
bool update_order_is_known(const struct update_evidence *evidence);

/* Whether the order must be value, field, container. */
bool update_order_is_value(const struct update_evidence *evidence);

void update_evidence_free(struct update_evidence *evidence);

#endif
