/* SPDX-License-Identifier: MIT */
/* Elephant Tracks text, in both dialects (etmerlin-formats(5), ELEPHANT TRACKS). */
#ifndef ETMERLIN_FORMATS_ET_ET_H
#define ETMERLIN_FORMATS_ET_ET_H

#include "trace/reader.h"
#include "trace/writer.h"

/* Bids lowest of all readers, since nearly any text may be an Elephant Tracks trace
 * (inspection.h). */
extern const struct reader_class et_reader_class;

/* Writes each record as a line of its own, which ends like the line before it, or as
 * writer_imitate wants. After text whose last line has no line end, a record starts on a new
 * line and has no line end itself: so removing the lines of the deaths always restores the
 * text. */
extern const struct writer_class et_writer_class;

#endif
