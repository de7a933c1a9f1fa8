/* The writer of Elephant Tracks text (et-trace.md, "D records that are written"). */
#ifndef ETMERLIN_TRACE_ET_WRITER_H
#define ETMERLIN_TRACE_ET_WRITER_H

#include "trace/writer.h"

/* How the latest line of the output ends. */
enum line_end { LINE_END_LF, LINE_END_CRLF, LINE_END_NONE };

/* Writes death records, each on a line of its own that ends as the line before it. After text
 * without a last line end, a death is put on a new line, and the output
 * again ends without one: taking the deaths' lines out always gives the text back. */
struct et_writer {
    struct writer base;
    struct sink *sink;
    enum line_end line_end;
};

/* Makes *writer write to `sink`, which must outlive it. Nothing needs to be released. */
void et_writer_init(struct et_writer *writer, struct sink *sink);

#endif
