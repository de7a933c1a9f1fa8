/* SPDX-License-Identifier: MIT */
/* Hand-made SELogger traces for unit tests. */
#ifndef ETMERLIN_TESTS_UNIT_SELOGGER_H
#define ETMERLIN_TESTS_UNIT_SELOGGER_H

#include "trace/reader.h"

#include <stddef.h>
#include <stdint.h>

/* An event: the number of its line in the index, its thread, its value. */
struct made_event {
    uint32_t data_id;
    uint32_t thread;
    int64_t value;
};

/* Writes `text` to the file `name` in the test's own folder (scratch_path). */
void make_text(const char *name, const char *text);

/* Writes the index, dataids.txt. Each line of `lines` is "METHOD CLASS INDEX EVENT VALUE
 * ATTRIBUTES", in words without blanks; lines are numbered from 0. */
void make_index(const char *lines);

/* Writes a binary log with these events; `name` is as log-00001.slg. */
void make_log(const char *name, const struct made_event *events, size_t count);

/* Writes a log of these events as text, numbered from `first` on. */
void make_text_log(const char *name, const struct made_event *events, size_t count,
                   uint64_t first);

#define MAKE_LOG(...)                                                                          \
    make_log("log-00001.slg", (const struct made_event[]){__VA_ARGS__},                        \
             sizeof((const struct made_event[]){__VA_ARGS__}) / sizeof(struct made_event))

/* Reads the trace. Returns its records as Elephant Tracks text; after a failure, the records
 * before it and then "FILE:LINE: message" or "FILE@0xOFFSET: message". The caller frees it. */
char *read_made(const struct reader_options *options);

/* Reads the trace. Returns the reader's remarks, a line each, without those that read_hints
 * returns. The caller frees it. */
char *read_notes(void);

/* Reads the trace. Returns the remarks on kinds of events that the log lacks, a line each. The
 * caller frees it. */
char *read_hints(void);

#define expect_records(...)                                                                    \
    expect_read(&(const struct reader_options){.lenient = false}, __VA_ARGS__)

/* Expects that read_made returns `wanted`, in which each record ends with "\n". */
void expect_read(const struct reader_options *options, const char *wanted);

#endif
