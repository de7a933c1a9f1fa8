/* SPDX-License-Identifier: MIT */
/* When a program is killed, ettrace ends with it, and a copy of a trace may break off anywhere.
 * The figures of such a trace are right for what is in it, but its end is not that of the
 * program. Deaths may have been added after ettrace's last comment, so that need not be the
 * last line. */
#include "formats/et/ending.h"

#include <string.h>

#define UNFINISHED "The trace is unfinished: "

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

/* The sentence of the remark, or NULL. */
static const char *sentence_of(const struct et_ending *ending, const struct et_blocks *blocks,
                               const struct trace_mark *mark)
{
    if (source_is_cut(blocks->source))
        return UNFINISHED "its compressed data end too early";
    if (blocks->is_open)
        return UNFINISHED "its last line has no line end";
    if (ending->is_given_up)
        return UNFINISHED "ettrace could not write all of it";
    if (ending->has_gaps)
        return UNFINISHED "ettrace had no memory for all records";
    if (mark->is_of_ettrace && !ending->is_closed)
        return UNFINISHED "the last line of ettrace is missing, as when a program is killed";
    return NULL;
}

struct remark et_ending_remark(const struct et_ending *ending, const struct et_blocks *blocks,
                               const struct trace_mark *mark)
{
    const char *sentence = sentence_of(ending, blocks, mark);
    return (struct remark){.text = sentence, .count = sentence != NULL, .once = true};
}

const char *et_ending_why(const struct remark *remark)
{
    return remark->text ? remark->text + strlen(UNFINISHED) : NULL;
}
