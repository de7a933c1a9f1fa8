/* SPDX-License-Identifier: MIT */
/* The lexer of Elephant Tracks text: one line, one record (etmerlin-formats(5), ELEPHANT
 * TRACKS). */
#ifndef ETMERLIN_FORMATS_ET_LEXER_H
#define ETMERLIN_FORMATS_ET_LEXER_H

#include "base/status.h"
#include "formats/et/scan.h"
#include "trace/record.h"

#include <stdbool.h>
#include <stddef.h>

/* The longest line that is read, in bytes, its line end not counted. */
enum { ET_LINE_MAX = 1024 * 1024 };

/* Bytes beyond the end of a line that et_lex_canonical may load, and ignores. */
enum { ET_PADDING = 16 };

enum et_line {
    ET_RECORD,
    ET_RECORD_AND_MORE, /* with a comment, or the dimensions of an array, after its fields */
    ET_COMMENT,         /* starts with '#' after any blanks, or nothing but blanks */
    ET_UNKNOWN,         /* a single letter that is no record's, then anything */
    ET_MALFORMED
};

/* Reads the `length` bytes at `line`, a line without its LF, and says what it is. Of a
 * record it sets kind and the fields of the kind. */
enum et_line et_lex(const char *line, size_t length, struct record *record);

/* How many bytes of a record's line come before what stands after its fields. */
size_t et_fields_end(const char *line, size_t length);

/* The last field of a line that et_lex_canonical read before. Zero-initialize it. */
struct et_memo {
    uint64_t value;
    size_t length;     /* of its text, LF included; 0: none yet */
    uint64_t words[2]; /* its text, and where in the words it is */
    uint64_t masks[2];
};

/* Whether the line from `line` to `next`, the byte after its LF, ends with just the memo's
 * field, and has more than that. */
static inline bool et_memo_ends(const struct et_memo *memo, const char *line, const char *next)
{
    if (memo->length == 0 || (size_t)(next - line) < memo->length + 4)
        return false;
    const char *text = next - memo->length;
    return text[-1] == ' ' && ((scan_load(text) & memo->masks[0]) ^ memo->words[0]) == 0 &&
           ((scan_load(text + 8) & memo->masks[1]) ^ memo->words[1]) == 0;
}

/* Reads a record in canonical form, faster than et_lex does: single spaces, fields of at most
 * 19 digits, LF. Returns the byte after the LF; or NULL when the line must go to et_lex, and
 * then *record is unspecified. The text at `line` must have an LF somewhere, and ET_PADDING
 * readable bytes after it. */
const char *et_lex_canonical(const char *line, struct record *record, struct et_memo *memo);

/* What sort of fault there is in a line for which et_lex said ET_MALFORMED. */
enum record_fault et_fault(const char *line, size_t length, bool explicit_time);

/* Records in *why (STATUS_SYNTAX) what is wrong with line `number` of `file`, for which et_lex
 * said ET_MALFORMED. `explicit_time` shows what the last field of the dialect is called. */
enum status et_explain(struct failure *why, const char *file, uint64_t number, const char *line,
                       size_t length, bool explicit_time);

#endif
