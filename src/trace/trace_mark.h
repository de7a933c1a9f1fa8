/* SPDX-License-Identifier: MIT */
/* Marks that a tracer leaves in comments. The line "# id HEX" is in a trace, in its name lists
 * and in its file of collections (ettrace --check), and shows that they belong together: 128
 * bits that the tracer draws for each trace. */
#ifndef ETMERLIN_TRACE_TRACE_MARK_H
#define ETMERLIN_TRACE_TRACE_MARK_H

#include <stdbool.h>
#include <stddef.h>

enum { TRACE_ID_DIGITS = 32, TRACE_TRACER_SIZE = 80 };

/* The value of ettrace --records. */
enum trace_level {
    TRACE_LEVEL_UNKNOWN,
    TRACE_LEVEL_ET3,
    TRACE_LEVEL_STORES,
    TRACE_LEVEL_EXACT
};

/* What the comments at the beginning of a trace say. Zero-initialize it. */
struct trace_mark {
    char id[TRACE_ID_DIGITS + 1]; /* empty: none */
    bool is_of_ettrace;           /* ettrace wrote the trace */
    enum trace_level level;       /* unknown unless it did */
    /* In its words, cut to fit: "ettrace 1.1.0, level exact"; empty: none. */
    char tracer[TRACE_TRACER_SIZE];
};

/* Sets `id` to that in the `length` bytes at `line`, which may end with a CR. False: the line
 * has none, and `id` is unchanged. */
bool trace_mark_take_id(char id[TRACE_ID_DIGITS + 1], const char *line, size_t length);

/* The name of a level, as ettrace has it; NULL: it is unknown. */
const char *trace_level_name(enum trace_level level);

/* Whether a trace of this level lacks where variables lose their objects, and reads, which show
 * that variables still hold them. False also of an unknown level. */
bool trace_level_lacks_locals(enum trace_level level);

/* Sets *mark from the comments at the beginning of `head`, the first `length` bytes of a trace.
 */
void trace_mark_read(struct trace_mark *mark, const char *head, size_t length);

#endif
