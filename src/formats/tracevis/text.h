/* SPDX-License-Identifier: MIT */
/* The text of a TraceVis trace, bare or in a ZIP archive, event by event (etmerlin-formats(5),
 * TRACEVIS). */
#ifndef ETMERLIN_FORMATS_TRACEVIS_TEXT_H
#define ETMERLIN_FORMATS_TRACEVIS_TEXT_H

#include "formats/tracevis/event.h"
#include "io/source.h"
#include "trace/names.h"

#include <stddef.h>

struct tracevis_text;

/* How sure one can be, from 0 to 100, that what starts with the `length` bytes at `head` is
 * such a trace. */
int tracevis_bid(const char *head, size_t length);

/* Opens the trace that `source` holds, which must outlive *out. A `lenient` text gives
 * malformed lines as events of their own; else they are failures. The caller owns *out
 * (tracevis_text_close). */
enum status tracevis_text_open(struct tracevis_text **out, struct source *source, bool lenient,
                               struct failure *why) MUST_CHECK;

/* For messages: the file, or ARCHIVE(trace). */
const char *tracevis_text_name(const struct tracevis_text *text);

/* Sets *event to the next event; what tracevis/ahead.h finds out is 0. STATUS_END: there is
 * none. STATUS_SYNTAX: the line that *why names is malformed. */
enum status tracevis_text_next(struct tracevis_text *text, struct tv_event *event,
                               struct failure *why) MUST_CHECK;

/* The names of the types and methods that events have had so far. */
const struct names *tracevis_text_names(const struct tracevis_text *text);

/* Whether the last line read had no line end. */
bool tracevis_text_is_open(const struct tracevis_text *text);

/* Whether the compressed data end too early; a last line without an end is left out then. */
bool tracevis_text_is_cut(const struct tracevis_text *text);

/* Records in *why what is wrong with line `line`, if it is the first malformed one; else no
 * more than that it is malformed. STATUS_SYNTAX. */
enum status tracevis_text_explain(const struct tracevis_text *text, uint64_t line,
                                  struct failure *why);

/* A digest of all bytes read since the text was opened or rewound. */
uint64_t tracevis_text_digest(const struct tracevis_text *text);

/* Starts again at the first line. Numbers of types and methods stay. */
void tracevis_text_rewind(struct tracevis_text *text);

/* NULL is allowed. */
void tracevis_text_close(struct tracevis_text *text);

#endif
