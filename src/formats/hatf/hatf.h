/* SPDX-License-Identifier: MIT */
/* HATF 1.0 (etmerlin-formats(5), HATF 1.0). */
#ifndef ETMERLIN_FORMATS_HATF_HATF_H
#define ETMERLIN_FORMATS_HATF_HATF_H

#include "trace/reader.h"
#include "trace/writer.h"

/* Bids for input that begins like the files that hatf_writer_class writes. Allocs become N or A
 * records and frees become D records, of a trace with explicit times; all other records are
 * skipped (etmerlin-formats(5), "How they are read"). Before there are metadata about times,
 * the time of an event is its number, from 1. */
extern const struct reader_class hatf_reader_class;

/* Each allocation becomes an alloc record with the object's id as its address, and each death a
 * free. A thread is created at its first record and destroyed at the end. */
extern const struct writer_class hatf_writer_class;

#endif
