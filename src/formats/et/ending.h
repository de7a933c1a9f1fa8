/* SPDX-License-Identifier: MIT */
/* What the comments of ettrace say about the end of a trace. */
#ifndef ETMERLIN_FORMATS_ET_ENDING_H
#define ETMERLIN_FORMATS_ET_ENDING_H

#include "formats/et/blocks.h"
#include "trace/reader.h"

/* Zero-initialize it. */
struct et_ending {
    bool is_closed;   /* ettrace has written its last line */
    bool is_given_up; /* ettrace could not go on writing */
    bool has_gaps;    /* ettrace had no memory for some records */
};

/* Takes note of a comment of `length` bytes. */
void et_ending_note(struct et_ending *ending, const char *line, size_t length);

/* A remark with count 1 if a trace that has been read to its end appears to be unfinished, else
 * with count 0. */
struct remark et_ending_remark(const struct et_ending *ending, const struct et_blocks *blocks,
                               const struct trace_mark *mark);

/* The reason that such a remark gives, as in reader->unfinished; NULL: the trace is not
 * unfinished. */
const char *et_ending_why(const struct remark *remark);

#endif
