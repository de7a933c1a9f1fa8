/* SPDX-License-Identifier: MIT */
/* Reads the text of a trace block by block; each block becomes the text of a batch. The
 * comments of ettrace in it show whether the trace has been read to its proper end. */
#ifndef ETMERLIN_FORMATS_ET_BLOCKS_H
#define ETMERLIN_FORMATS_ET_BLOCKS_H

#include "base/digest.h"
#include "base/status.h"
#include "io/source.h"
#include "trace/batch.h"
#include "trace/reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zero-initialize it; et_blocks_free ends it. */
struct et_blocks {
    struct source *source;
    XXH3_state_t *digest; /* of the text so far */
    char *carry;          /* the start of a line whose end has not been read */
    size_t carry_length;
    size_t carry_capacity;
    bool at_end;  /* of the source */
    bool is_open; /* the latest text does not end with a line end */
};

/* `source` must outlive the blocks. False: no memory. */
bool et_blocks_open(struct et_blocks *blocks, struct source *source) MUST_CHECK;

/* Starts again at the first block. */
void et_blocks_rewind(struct et_blocks *blocks);

/* Sets the batch's text to the next whole lines, or to a part of a line that is longer than
 * ET_LINE_MAX, followed by SCAN_BYTES line ends, which are not part of it. Makes room for the
 * records of this text, if no line of a record has fewer than `shortest` bytes. `in_long_line`:
 * the text begins within a line that is too long. STATUS_END: there is no more text. */
enum status et_blocks_next(struct et_blocks *blocks, struct batch *batch, size_t shortest,
                           bool in_long_line, struct failure *why) MUST_CHECK;

/* A digest of the text so far. */
uint64_t et_blocks_digest(const struct et_blocks *blocks);

/* Releases what the blocks own, not the source. */
void et_blocks_free(struct et_blocks *blocks);

/* Zero-initialize it. */
struct et_ending {
    bool is_closed;   /* ettrace has written its last line */
    bool is_given_up; /* ettrace could not go on writing */
    bool has_gaps;    /* ettrace had no memory for some records */
};

/* Takes note of a comment of `length` bytes. */
void et_ending_note(struct et_ending *ending, const char *line, size_t length);

/* How the sentences of et_ending_why begin. */
#define ET_UNFINISHED_TRACE "The trace is unfinished: "

/* Why a trace that has been read to its end appears to be unfinished, as a sentence without its
 * full stop; NULL: it does not. */
const char *et_ending_why(const struct et_ending *ending, const struct et_blocks *blocks,
                          const struct trace_mark *mark);

#endif
