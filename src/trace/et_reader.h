/* The reader of Elephant Tracks text, in both dialects. */
#ifndef ETMERLIN_TRACE_ET_READER_H
#define ETMERLIN_TRACE_ET_READER_H

#include "trace/reader.h"

/* Bids lowest of all: any text may be an Elephant Tracks trace. */
extern const struct reader_class et_reader_class;

#endif
