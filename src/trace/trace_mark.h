/* SPDX-License-Identifier: MIT */
/* What ties a trace, its name lists and its file of collections (ettrace --check): the line
 * "# id HEX" in all, 128 bits that the tracer draws for each trace. */
#ifndef ETMERLIN_TRACE_TRACE_MARK_H
#define ETMERLIN_TRACE_TRACE_MARK_H

#include <stdbool.h>
#include <stddef.h>

enum { TRACE_ID_DIGITS = 32, TRACE_TRACER_SIZE = 80 };

/* What ettrace --records was given. */
enum trace_level {
    TRACE_LEVEL_UNKNOWN,
    TRACE_LEVEL_ET3,
    TRACE_LEVEL_STORES,
    TRACE_LEVEL_EXACT
};

/* What the comments say that a trace begins with. Zero-initialize it. */
struct trace_mark {
    char id[TRACE_ID_DIGITS + 1];   /* empty: none */
    bool is_of_ettrace;             /* ettrace wrote the trace */
    enum trace_level level;         /* unknown unless it did */
    char tracer[TRACE_TRACER_SIZE]; /* as it says: "ettrace 1.1.0, level exact"; empty: none;
                                       what is longer is cut */
};

/* Takes the id from the `length` bytes at `line`, which may end with a CR. False: the line has
 * none, and `id` is as it was. */
bool trace_mark_take_id(char id[TRACE_ID_DIGITS + 1], const char *line, size_t length);

/* The name of a level, as ettrace has it; NULL: it is unknown. */
const char *trace_level_name(enum trace_level level);

/* Reads the comments at the front of the `length` bytes at `head`, with which a trace begins.
 */
void trace_mark_read(struct trace_mark *mark, const char *head, size_t length);

#endif
