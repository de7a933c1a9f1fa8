/* SPDX-License-Identifier: MIT */
/* Elephant Tracks has no head to be known by, and a trace may begin with comments, unknown or
 * malformed lines. So input is refused only if nothing at its beginning is of the form of a
 * record, or of a relative which the refusal names. */
#include "formats/et/bid.h"

#include "formats/et/relatives.h"

#include <string.h>

/* What a line says of the input that it is in. */
enum line_verdict { LINE_SAYS_NOTHING, LINE_IS_OURS, LINE_IS_FOREIGN };

static bool bid_is_blank(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r';
}

static bool bid_is_letter(char byte)
{
    return (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z');
}

static enum line_verdict judge_line(const char *line, size_t length)
{
    const char *end = line + length;
    while (line < end && bid_is_blank(*line))
        line++;
    if (line == end || *line == '#')
        return LINE_SAYS_NOTHING;
    bool is_record = bid_is_letter(*line) && (line + 1 == end || bid_is_blank(line[1]));
    return is_record && !memchr(line, '\0', (size_t)(end - line)) ? LINE_IS_OURS
                                                                  : LINE_IS_FOREIGN;
}

static bool is_of_relative(const char *line, size_t length)
{
    struct relative_evidence evidence = {.is_own = false};
    relative_look_at(&evidence, line, length, 1);
    for (size_t i = 0; i < RELATIVES; i++)
        if (evidence.lines[i] > 0)
            return true;
    return false;
}

int et_bid(const char *head, size_t length)
{
    int bid = 1;
    while (length > 0) {
        const char *feed = memchr(head, '\n', length);
        size_t line = feed ? (size_t)(feed - head) : length;
        enum line_verdict verdict = judge_line(head, line);
        if (verdict == LINE_IS_OURS || is_of_relative(head, line))
            return 1;
        if (verdict == LINE_IS_FOREIGN)
            bid = 0;
        line += feed != NULL;
        head += line;
        length -= line;
    }
    return bid;
}
