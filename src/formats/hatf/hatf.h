/* SPDX-License-Identifier: MIT */
/* HATF 1.0 (etmerlin-formats(5), HATF 1.0). */
#ifndef ETMERLIN_FORMATS_HATF_HATF_H
#define ETMERLIN_FORMATS_HATF_HATF_H

#include "trace/reader.h"
#include "trace/writer.h"

/* Bids for what begins as the files that hatf_writer_class writes. Allocs become N or A records
 * and frees D records of a trace with explicit times; all other records are passed over
 * (etmerlin-formats(5), "How they are read"). A trace whose time fields are absent from the
 * start has the number of an event, from 1, as its time. */
extern const struct reader_class hatf_reader_class;

/* Each allocation is an alloc record with the object's id as its address, each death a free,
 * and threads are created with their first record and destroyed at the end. */
extern const struct writer_class hatf_writer_class;

#endif
