/* SPDX-License-Identifier: MIT */
/* Elephant Tracks text, in both dialects (etmerlin-formats(5), ELEPHANT TRACKS). */
#ifndef ETMERLIN_FORMATS_ET_ET_H
#define ETMERLIN_FORMATS_ET_ET_H

#include "trace/reader.h"
#include "trace/writer.h"

/* Bids lowest of all: nearly any text may be an Elephant Tracks trace (inspection.h). */
extern const struct reader_class et_reader_class;

/* Writes each record as a line of its own that ends as the line before it, or as writer_imitate
 * wants. After text without a last line end, a record is put on a new line, and the output
 * again ends without one: removing the deaths' lines always gives the text back. */
extern const struct writer_class et_writer_class;

#endif
