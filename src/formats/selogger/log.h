/* SPDX-License-Identifier: MIT */
/* The events of a trace, from all its log files, binary or text (etmerlin-formats(5),
 * SELOGGER). */
#ifndef ETMERLIN_FORMATS_SELOGGER_LOG_H
#define ETMERLIN_FORMATS_SELOGGER_LOG_H

#include "base/status.h"
#include "formats/selogger/index/instructions.h"
#include "formats/selogger/index/loading.h"
#include "io/source.h"

#include "trace/reader_options.h"

#include <stddef.h>
#include <stdint.h>

struct sel_event {
    uint32_t data_id; /* of an instruction that there is */
    uint32_t thread;
    int64_t value; /* VALUE_NONE: unspecified; VALUE_OBJECT: from 0 to log_last_object */
};

/* Consecutive events of one file. */
struct sel_events {
    const struct sel_event *items;
    size_t count;
    const char *file;
    uint64_t first; /* of the first one: offset of its bytes, or line from 1 */
};

struct log;

/* Opens the log next to the file of `source`, which counts the bytes that are read, too. It and
 * the instructions must outlive *out, which the caller owns (log_close). Files whose compressed
 * data end too early end there if the options are lenient. STATUS_MEANING: there is no log, or
 * two. */
enum status log_open(struct log **out, struct source *source,
                     const struct instructions *instructions,
                     const struct reader_options *options, struct failure *why) MUST_CHECK;

/* Sets *events to those that come next; they stay until the next call. STATUS_END: there are
 * none. Notes what was cut off, if `remarks` is not NULL. */
enum status log_next(struct log *log, struct sel_events *events, struct remark_list *remarks,
                     struct failure *why) MUST_CHECK;

/* Starts again at the first event. */
void log_rewind(struct log *log);

/* At the end: why the trace is unfinished, as reader->unfinished says. */
const char *log_unfinished(const struct log *log);

/* A digest of all events that log_next gave since the log was opened or rewound. */
uint64_t log_digest(const struct log *log);

/* No event names an object with a greater id: there are not more than the log has bytes. */
uint64_t log_last_object(const struct log *log);

/* NULL is allowed. */
void log_close(struct log *log);

#endif
