/* SPDX-License-Identifier: MIT */
/* The text after the last line end of a block is carried over to the next block. A block is
 * enlarged if a line does not fit, up to the longest line allowed. Whether the trace is
 * finished is known at its end, from the comments of ettrace that went by and from how the
 * text ends. */
#include "formats/et/blocks.h"

#include "base/memory.h"
#include "formats/et/lexer.h"
#include "formats/et/scan.h"

#include <stdlib.h>
#include <string.h>

enum {
    BLOCK_SIZE = 128 * 1024,
    BLOCK_MAX = ET_LINE_MAX + 2 /* the longest line with CR and LF */
};

bool et_blocks_open(struct et_blocks *blocks, struct source *source)
{
    blocks->source = source;
    blocks->digest = XXH3_createState();
    return blocks->digest != NULL;
}

void et_blocks_rewind(struct et_blocks *blocks)
{
    source_rewind(blocks->source);
    XXH3_64bits_reset(blocks->digest);
    blocks->carry_length = 0;
    blocks->at_end = blocks->is_open = false;
}

uint64_t et_blocks_digest(const struct et_blocks *blocks)
{
    return XXH3_64bits_digest(blocks->digest);
}

/* Reads until the batch's text has `size` bytes or the source ends. */
static enum status read_block(struct et_blocks *blocks, struct batch *batch, size_t size,
                              size_t shortest, struct failure *why)
{
    TRY(batch_reserve(batch, size / shortest + 1, size + SCAN_BYTES, why));
    while (batch->text_length < size && !blocks->at_end) {
        char *at = batch->text + batch->text_length;
        size_t got = 0;
        TRY(source_read(blocks->source, at, size - batch->text_length, &got, why));
        batch->text_length += got;
        blocks->at_end = got == 0;
    }
    return STATUS_OK;
}

/* Ends the batch's text at its last line end and keeps the rest for the next batch. */
static enum status carry_over(struct et_blocks *blocks, struct batch *batch,
                              const char *line_end, struct failure *why)
{
    size_t whole = (size_t)(line_end + 1 - batch->text);
    size_t rest = batch->text_length - whole;
    char *carry = array_grow(blocks->carry, &blocks->carry_capacity, rest, 1);
    if (!carry)
        return fail_memory(why);
    memcpy(carry, line_end + 1, rest);
    blocks->carry = carry;
    blocks->carry_length = rest;
    batch->text_length = whole;
    return STATUS_OK;
}

/* Fills the batch's text. */
static enum status fill_text(struct et_blocks *blocks, struct batch *batch, size_t shortest,
                             bool in_long_line, struct failure *why)
{
    batch->text_length = 0;
    TRY(batch_reserve(batch, 1, blocks->carry_length, why));
    if (blocks->carry_length)
        memcpy(batch->text, blocks->carry, blocks->carry_length);
    batch->text_length = blocks->carry_length;
    blocks->carry_length = 0;
    for (size_t size = BLOCK_SIZE;; size = size * 2 < BLOCK_MAX ? size * 2 : BLOCK_MAX) {
        TRY(read_block(blocks, batch, size, shortest, why));
        if (blocks->at_end)
            return STATUS_OK;
        const char *line_end = memrchr(batch->text, '\n', batch->text_length);
        if (line_end)
            return carry_over(blocks, batch, line_end, why);
        if (size == BLOCK_MAX || in_long_line)
            return STATUS_OK;
    }
}

/* Leaves out a last line that was cut off with its compressed data. */
static void drop_cut_line(const struct et_blocks *blocks, struct batch *batch)
{
    size_t length = batch->text_length;
    if (length == 0 || !source_is_cut(blocks->source))
        return;
    const char *line_end = memrchr(batch->text, '\n', length);
    batch->text_length = line_end ? (size_t)(line_end + 1 - batch->text) : 0;
}

enum status et_blocks_next(struct et_blocks *blocks, struct batch *batch, size_t shortest,
                           bool in_long_line, struct failure *why)
{
    TRY(fill_text(blocks, batch, shortest, in_long_line, why));
    if (blocks->at_end)
        drop_cut_line(blocks, batch);
    if (batch->text_length == 0)
        return STATUS_END;
    blocks->is_open = batch->text[batch->text_length - 1] != '\n';
    XXH3_64bits_update(blocks->digest, batch->text, batch->text_length);
    memset(batch->text + batch->text_length, '\n', SCAN_BYTES);
    return STATUS_OK;
}

void et_blocks_free(struct et_blocks *blocks)
{
    XXH3_freeState(blocks->digest);
    free(blocks->carry);
}

/* When a program is killed, ettrace ends with it, and a copy of a trace may break off anywhere.
 * The figures of such a trace are right for what is in it, but its end is not that of the
 * program. Deaths may have been added after ettrace's last comment, so that need not be the
 * last line. */

static bool begins(const char *line, size_t length, const char *with)
{
    size_t wanted = strlen(with);
    return length >= wanted && memcmp(line, with, wanted) == 0;
}

void et_ending_note(struct et_ending *ending, const char *line, size_t length)
{
    if (!begins(line, length, "# ettrace: "))
        return;
    ending->is_closed |= begins(line, length, "# ettrace: end of the trace");
    ending->is_given_up |= begins(line, length, "# ettrace: the trace ends here");
    ending->has_gaps |= begins(line, length, "# ettrace: memory ran out");
}

const char *et_ending_why(const struct et_ending *ending, const struct et_blocks *blocks,
                          const struct trace_mark *mark)
{
    if (source_is_cut(blocks->source))
        return ET_UNFINISHED_TRACE "its compressed data end too early";
    if (blocks->is_open)
        return ET_UNFINISHED_TRACE "its last line has no line end";
    if (ending->is_given_up)
        return ET_UNFINISHED_TRACE "ettrace could not write all of it";
    if (ending->has_gaps)
        return ET_UNFINISHED_TRACE "ettrace had no memory for all records";
    if (mark->is_of_ettrace && !ending->is_closed)
        return ET_UNFINISHED_TRACE
            "the last line of ettrace is missing, as when a program is killed";
    return NULL;
}
