/* SPDX-License-Identifier: MIT */
/* Distinguishes the two dialects of Elephant Tracks text (etmerlin-formats(5), "Two dialects").
 */
#ifndef ETMERLIN_FORMATS_ET_DIALECT_H
#define ETMERLIN_FORMATS_ET_DIALECT_H

#include "trace/reader.h"
#include "trace/reader_options.h"

/* What the boundaries so far say. Zero-initialize it. */
struct dialect_evidence {
    unsigned boundaries;
    uint64_t last;        /* field of the latest boundary */
    unsigned counted;     /* boundaries whose last fields count up by one, before any other */
    uint64_t broken_line; /* of the first one that does not go on; 0: none */
};

/* Whether no further record can change what dialect_decide says. */
bool dialect_is_known(const struct dialect_evidence *evidence);

/* Takes note of a record in line `line`, which was read with its last field as a thread. */
void dialect_look_at(struct dialect_evidence *evidence, const struct record *record,
                     uint64_t line);

enum dialect dialect_decide(const struct dialect_evidence *evidence);

/* Whether last fields counted up as times do and then broke off, so that it is the thread
 * dialect: threads seldom look like that. */
bool dialect_breaks_off(const struct dialect_evidence *evidence);

#endif
