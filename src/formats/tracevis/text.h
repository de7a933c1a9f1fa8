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

/* See reader_class.bid: how certain it is, from 0 to 100, that input that begins with the
 * `length` bytes at `head` is such a trace. */
int tracevis_bid(const char *head, size_t length);

/* Opens the trace in `source`, which must outlive *out. With `lenient` malformed lines become
 * events of their own; else they are failures. The caller owns *out (tracevis_text_close). */
enum status tracevis_text_open(struct tracevis_text **out, struct source *source, bool lenient,
                               struct failure *why) MUST_CHECK;

/* The name for messages: that of the file, or ARCHIVE(trace). */
const char *tracevis_text_name(const struct tracevis_text *text);

/* Sets *event to the next event, in which the members that tracevis/ahead.h sets are 0.
 * STATUS_END: there are no more events. STATUS_SYNTAX: the line that *why names is malformed.
 */
enum status tracevis_text_next(struct tracevis_text *text, struct tv_event *event,
                               struct failure *why) MUST_CHECK;

/* The names of the types and methods of all events so far. */
const struct names *tracevis_text_names(const struct tracevis_text *text);

/* Whether the latest line has no line end. */
bool tracevis_text_is_open(const struct tracevis_text *text);

/* Whether the compressed data end too early; then a last line without a line end is left out.
 */
bool tracevis_text_is_cut(const struct tracevis_text *text);

/* Records in *why (STATUS_SYNTAX) what is wrong with line `line` if it is the first malformed
 * one, or else only that it is malformed. */
enum status tracevis_text_explain(const struct tracevis_text *text, uint64_t line,
                                  struct failure *why);

/* A digest of all bytes read since the text was opened or rewound. */
uint64_t tracevis_text_digest(const struct tracevis_text *text);

/* Starts again at the first line. Types and methods keep their numbers. */
void tracevis_text_rewind(struct tracevis_text *text);

/* NULL is allowed. */
void tracevis_text_close(struct tracevis_text *text);

#endif
