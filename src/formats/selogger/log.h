/* SPDX-License-Identifier: MIT */
/* The events of a trace, from all its log files, binary or text (etmerlin-formats(5),
 * SELOGGER). */
#ifndef ETMERLIN_FORMATS_SELOGGER_LOG_H
#define ETMERLIN_FORMATS_SELOGGER_LOG_H

#include "base/status.h"
#include "formats/selogger/catalogue.h"
#include "formats/selogger/loading.h"
#include "io/source.h"
#include "trace/reader_class.h"

#include <stddef.h>
#include <stdint.h>

struct sel_event {
    uint32_t data_id; /* of an instruction in the index */
    uint32_t thread;
    int64_t value; /* of VALUE_NONE: unspecified; of VALUE_OBJECT: 0 to log_last_object */
};

/* Consecutive events of one file. */
struct sel_events {
    const struct sel_event *items;
    size_t count;
    const char *file;
    uint64_t first; /* offset of the first event's bytes, or its line, from 1 */
};

struct log;

/* Opens the log next to the file of `source`, to which the bytes read are also counted.
 * `source` and `catalogue` must outlive *out, which the caller owns (log_close). If
 * options->lenient, files whose compressed data end too early end there. STATUS_MEANING: there
 * is no log, or there are two. */
enum status log_open(struct log **out, struct source *source, const struct catalogue *catalogue,
                     const struct reader_options *options, struct failure *why) MUST_CHECK;

/* Sets *events to the next events, which are good until the next call. Unless `remarks` is
 * NULL, adds a remark if something was cut off. STATUS_END: there are no more events. */
enum status log_next(struct log *log, struct sel_events *events, struct remark_list *remarks,
                     struct failure *why) MUST_CHECK;

/* Starts again at the first event. */
void log_rewind(struct log *log);

/* After the end has been reached: why the trace is unfinished, as in reader->unfinished; NULL:
 * it is not. */
const char *log_unfinished(const struct log *log);

/* A digest of all events that log_next has returned since the log was opened or rewound. */
uint64_t log_digest(const struct log *log);

/* An upper limit for the ids of objects that events name, which follows from the size of the
 * log. */
uint64_t log_last_object(const struct log *log);

/* NULL is allowed. */
void log_close(struct log *log);

/* Why a file that begins with the `length` bytes at `head` is no trace but output of SELogger
 * from which none can be read, with advice on how to record instead: a sentence without its
 * full stop; NULL: it is not known to be none. */
const char *refusal_of_content(const char *head, size_t length);

#endif
