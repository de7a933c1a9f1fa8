/* Tells the two dialects of Elephant Tracks text apart (et-trace.md, "Two dialects"). */
#ifndef ETMERLIN_TRACE_ET_DIALECT_H
#define ETMERLIN_TRACE_ET_DIALECT_H

#include "trace/reader.h"

/* Reads the first boundaries from `reader`, which must read the last fields as threads and
 * pass over malformed lines, sets *dialect and rewinds the reader. */
enum status et_find_dialect(struct reader *reader, enum dialect *dialect,
                            struct failure *why) MUST_CHECK;

#endif
