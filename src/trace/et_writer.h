/* The writer of Elephant Tracks text (et-trace.md, "Records" and "D records that are written").
 * Each record is a line of its own that ends as the line before it, or as writer_imitate wants.
 * After text without a last line end, a record is put on a new line, and the output again ends
 * without one: taking the deaths' lines out always gives the text back. */
#ifndef ETMERLIN_TRACE_ET_WRITER_H
#define ETMERLIN_TRACE_ET_WRITER_H

#include "trace/writer.h"

extern const struct writer_class et_writer_class;

#endif
