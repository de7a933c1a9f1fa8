/* SPDX-License-Identifier: MIT */
/* What the comments of ettrace say of how a trace ends. */
#ifndef ETMERLIN_FORMATS_ET_ENDING_H
#define ETMERLIN_FORMATS_ET_ENDING_H

#include "formats/et/blocks.h"
#include "trace/reader.h"

/* Zero-initialize it. */
struct et_ending {
    bool is_closed;   /* ettrace has written its last line */
    bool is_given_up; /* ettrace could not write on */
    bool has_gaps;    /* ettrace had no memory for some records */
};

/* Takes a comment, of `length` bytes. */
void et_ending_note(struct et_ending *ending, const char *line, size_t length);

/* A remark, met if a trace that has been read to its end is unfinished, as far as can be seen.
 */
struct remark et_ending_remark(const struct et_ending *ending, const struct et_blocks *blocks,
                               const struct trace_mark *mark);

/* What that remark says of it, as reader->unfinished does; NULL: nothing. */
const char *et_ending_why(const struct remark *remark);

#endif
