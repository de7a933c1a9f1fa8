/* The reader of HATF 1.0 (hatf.md, section 10): allocs become N or A records and frees D
 * records of a trace with explicit times; all other records are passed over. A trace whose time
 * fields are absent from the start has the number of an event, from 1, as its time. */
#ifndef ETMERLIN_FORMATS_HATF_READER_H
#define ETMERLIN_FORMATS_HATF_READER_H

#include "trace/reader.h"

/* Bids for what begins as the files that hatf_writer writes. */
extern const struct reader_class hatf_reader_class;

#endif
