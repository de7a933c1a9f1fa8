/* SPDX-License-Identifier: MIT */
/* The lifetime formats: HATF 1.0 (etmerlin-formats(5), HATF 1.0), and Meta-TF 1.0 (Chilimbi,
 * Jones, Zorn, ISMM 2000, section 4), as far as etmerlin supports it: files whose records are
 * described by the one DTD that it ships. */
#ifndef ETMERLIN_FORMATS_LIFETIMES_LIFETIMES_H
#define ETMERLIN_FORMATS_LIFETIMES_LIFETIMES_H

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

/* Bids for the magic number. Allocs become N or A records and frees become D records, of a
 * trace with explicit times; threads are skipped. */
extern const struct reader_class metatf_reader_class;

/* Each allocation becomes an alloc record with the object's id as its address, and each death a
 * free. A thread is created at its first record and destroyed at the end. All records are kept
 * in a temporary file until the end, because the header has their number and size.
 * STATUS_LIMIT: the output would be 4 GiB or more, which the header cannot express. */
extern const struct writer_class metatf_writer_class;

#endif
