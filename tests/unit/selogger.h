/* SPDX-License-Identifier: MIT */
/* Hand-made SELogger traces for unit tests. */
#ifndef ETMERLIN_TESTS_UNIT_SELOGGER_H
#define ETMERLIN_TESTS_UNIT_SELOGGER_H

#include "trace/reader.h"

#include <stddef.h>
#include <stdint.h>

/* An event: the number of a line of the index, a thread, a value. */
struct made_event {
    uint32_t data_id;
    uint32_t thread;
    int64_t value;
};

/* Writes file `name` of the trace in the test's own folder. */
void make_text(const char *name, const char *text);

/* Writes an index. Each line of `lines` is "METHOD CLASS INDEX EVENT VALUE ATTRIBUTES"; they
 * are numbered from 0. */
void make_index(const char *lines);

/* Writes the log `name` (log-00001.slg) with these events. */
void make_log(const char *name, const struct made_event *events, size_t count);

/* The same as text, whose events are numbered from `first`. */
void make_text_log(const char *name, const struct made_event *events, size_t count,
                   uint64_t first);

#define MAKE_LOG(...)                                                                          \
    make_log("log-00001.slg", (const struct made_event[]){__VA_ARGS__},                        \
             sizeof((const struct made_event[]){__VA_ARGS__}) / sizeof(struct made_event))

/* The records of the trace, as Elephant Tracks text; or "STATUS at LINE or @OFFSET: message" of
 * the failure. The caller owns it (free). */
char *read_made(const struct reader_options *options);

/* What the reader notes about the trace, each in a line. The caller owns it. */
char *read_notes(void);

/* Those notes that say what kinds of events the log has none of; read_notes leaves them out. */
char *read_hints(void);

#define expect_records(...)                                                                    \
    expect_read(&(const struct reader_options){.lenient = false}, __VA_ARGS__)

/* Reads the trace and compares what read_made gives; "\n" ends each record. */
void expect_read(const struct reader_options *options, const char *wanted);

#endif
