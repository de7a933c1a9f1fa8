/* SPDX-License-Identifier: MIT */
/* Events as text of a batch: those that are no records of Elephant Tracks become comments of
 * it. */
#ifndef ETMERLIN_FORMATS_TRACEVIS_COMMENT_H
#define ETMERLIN_FORMATS_TRACEVIS_COMMENT_H

#include "formats/tracevis/event.h"
#include "trace/batch.h"
#include "trace/names.h"

/* Adds a line that begins with '#' and goes on with `text` to the text of the batch. */
enum status comment_add(struct batch *batch, const char *text, struct failure *why) MUST_CHECK;

/* Adds the line of an event, of one that is unknown its first two letters; `names` has those of
 * its type and method. */
enum status comment_add_line(struct batch *batch, const struct tv_event *event,
                             const struct names *names, struct failure *why) MUST_CHECK;

/* Adds it as a comment. */
enum status comment_add_event(struct batch *batch, const struct tv_event *event,
                              const struct names *names, struct failure *why) MUST_CHECK;

#endif
